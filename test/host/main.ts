/** `npm run host`: a small MCP host of its own, on any chat-completions service. */
import { createInterface } from 'node:readline';
import { printableLine } from '../../device/config/printable.ts';
import { startToolServer } from './client-server.ts';
import { type HostFlags, readHostFlags, USAGE } from './flags.ts';
import { createHost, type Host } from './host.ts';
import { openaiModel } from './model.ts';
import { readHostServers, settingsFiles } from './settings.ts';
import type { ToolServer } from './tool-server.ts';

const SYSTEM =
  'You are a helpful assistant. Use the tools where they help. Answer briefly, in the language of the question.';
const INTERRUPTED = 130;

const flags = readHostFlags(process.argv.slice(2), process.env);
if (flags === undefined) {
  process.stderr.write(USAGE);
  process.exitCode = 64;
} else if (flags.help) {
  process.stdout.write(USAGE);
} else {
  process.exitCode = await main(flags);
}

async function main(given: HostFlags): Promise<number> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => stop.abort(new Error('interrupted')));
  process.stdout.on('error', () => stop.abort(new Error('nobody reads any more')));
  await using host = createHost({
    model: openaiModel({ ...given, apiKey: process.env.OPENAI_API_KEY || undefined }),
    servers: await startAll(),
    system: given.system ?? SYSTEM,
    signal: stop.signal,
    onToolCall: (name, args) => note(`→ ${name} ${typeof args === 'string' ? args : JSON.stringify(args)}`),
    onToolResult: (name, { text, isError }) => {
      if (isError) note(`! ${name} ${text.slice(0, 500)}`);
    },
    onServerFault: (server, error) => note(`! ${server}: ${reasonOf(error)}`),
  });
  let missing = 0;
  for await (const question of given.chat ? typed(stop.signal) : given.questions) {
    if (stop.signal.aborted) break;
    if (!(await answer(host, question))) missing++;
  }
  if (stop.signal.aborted) return INTERRUPTED;
  return missing === 0 ? 0 : 1;
}

/** Writes the answer as it comes; false where there is none. */
async function answer(host: Host, question: string): Promise<boolean> {
  let wrote = false;
  try {
    for await (const token of host.stream(question)) {
      process.stdout.write(token);
      wrote = true;
    }
    if (!wrote) note('! the model gave no answer');
    return wrote;
  } catch (error) {
    if (wrote) process.stdout.write('\n');
    wrote = false;
    note(`! ${reasonOf(error)}`);
    return false;
  } finally {
    if (wrote) process.stdout.write('\n');
  }
}

/** Lines that say something; a terminal is shown where to type. */
async function* typed(signal: AbortSignal): AsyncGenerator<string> {
  const isTerminal = process.stdin.isTTY === true;
  const lines = createInterface({ input: process.stdin, terminal: false });
  signal.addEventListener('abort', () => lines.close(), { once: true });
  try {
    if (isTerminal) process.stderr.write('> ');
    for await (const line of lines) {
      if (line.trim() !== '') yield line.trim();
      if (isTerminal) process.stderr.write('> ');
    }
  } finally {
    lines.close();
    process.stdin.destroy();
  }
}

/** A server that does not start is told; the others are there. */
async function startAll(): Promise<ToolServer[]> {
  const { servers, problems } = readHostServers(settingsFiles(process.cwd(), process.env.HOME), process.env);
  for (const { file, line, path, detail } of problems)
    note(`! ${file}:${line ?? 1}: ${path ?? ''} ${detail}`);
  const started = await Promise.allSettled(servers.map((settings) => startToolServer(settings)));
  return started.flatMap((one, index) => {
    if (one.status === 'fulfilled') return [one.value];
    note(`! ${servers[index]?.name}: ${reasonOf(one.reason)}`);
    return [];
  });
}

/** What a service or a server says must neither steer the terminal nor show the key that it was given. */
function note(text: string): void {
  const key = process.env.OPENAI_API_KEY;
  process.stderr.write(`${printableLine(key ? text.replaceAll(key, '***') : text)}\n`);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
