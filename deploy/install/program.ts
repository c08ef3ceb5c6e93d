import { type Child, spawnChild } from '#kernel/child.ts';
import { type Clock, within } from '#kernel/clock.ts';

export interface ProgramOptions {
  readonly file: string;
  readonly args: readonly string[];
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** It is killed after so long. */
  readonly ms: number;
  /** What stands on its stdin; empty by default. */
  readonly input?: Uint8Array;
  readonly clock: Clock;
}

export interface ProgramOutput {
  /** Its exit code; `null` where a signal or the deadline ended it, or it could not be started. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What is kept of each stream: a status document is below 100 kB. */
const MAX_OUTPUT = 4 * 1024 * 1024;

/** Runs a program to its end, which always comes. What cannot even start is an end without an exit code. */
export async function runProgram(options: ProgramOptions): Promise<ProgramOutput> {
  const { file, args, env, ms, input, clock } = options;
  let child: Child;
  try {
    child = await spawnChild({ command: file, args, env, cwd: '/', guarded: false, eofMs: 0, clock });
  } catch (error) {
    return { code: null, stdout: '', stderr: String(error) };
  }
  await using running = child;
  const streams = [collect(running.stdout), collect(running.stderr)] as const;
  running.stdin.end(input);
  const ending = await within(clock, ms, running.ended);
  if (ending) await within(clock, 1000, Promise.all(streams.map(({ closed }) => closed)));
  const code = ending && /^exited (\d+)$/.exec(ending.reason);
  return { code: code ? Number(code[1]) : null, stdout: streams[0].text(), stderr: streams[1].text() };
}

function collect(stream: NodeJS.ReadableStream): { text: () => string; closed: Promise<void> } {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MAX_OUTPUT) chunks.push(chunk);
  });
  const closed = new Promise<void>((resolve) => {
    stream.once('close', () => resolve());
    stream.once('error', () => resolve());
  });
  return { text: () => Buffer.concat(chunks).toString(), closed };
}
