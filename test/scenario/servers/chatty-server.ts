/** A server whose tool prints to stdout in every way that a library might. Run by stdio.test.ts. */
import { serve } from '../../../servers/stdio.ts';

await serve({
  name: 'chatty',
  tools: [
    {
      name: 'chat',
      description: 'Prints before it answers',
      inputSchema: { type: 'object' },
      run() {
        console.log('a banner');
        console.info({ level: 'info' });
        process.stdout.write('bare text\n');
        return { content: [{ type: 'text', text: 'done' }] };
      },
    },
    {
      name: 'work',
      description: 'Never answers and keeps the process busy with a timer',
      inputSchema: { type: 'object' },
      run() {
        setInterval(() => undefined, 1000);
        return new Promise(() => undefined);
      },
    },
  ],
});
