import { serve } from '../stdio.ts';
import { echo } from './echo.ts';

await serve({ name: 'everyday', tools: [echo] });
