import { tongueOf } from '../language.ts';
import { serve } from '../stdio.ts';
import { filesTools } from './tools.ts';
import { english } from './words-en.ts';
import { japanese } from './words-ja.ts';

const { env } = process;
const words = tongueOf(env) === 'ja' ? japanese : english;
void serve({ name: 'files', tools: filesTools({ root: env.MCP_FILE_ROOT, words }) });
