import { serve } from '../stdio.ts';
import { wordsFor } from './language.ts';
import { filesTools } from './tools.ts';

const { env } = process;
await serve({ name: 'files', tools: filesTools({ root: env.MCP_FILE_ROOT, words: wordsFor(env) }) });
