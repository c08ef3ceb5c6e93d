import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../../../device/cli/command.ts';
import type { Environment } from '../../../../device/config/environment.ts';
import { ControlServer } from '../../../../device/console/control.ts';
import { LogRing } from '../../../../device/console/log-ring.ts';
import type { ControlHandlers } from '../../../../device/console/request.ts';
import { systemClock } from '../../../../device/kernel/clock.ts';
import { createLog } from '../../../../device/kernel/log.ts';
import { type PartStatus, statusDocument } from '../../../../device/supervisor/status.ts';

export interface Result {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface Bench extends AsyncDisposable {
  readonly logs: LogRing;
  readonly environment: Environment;
  /** Runs one command line against this appliance, which may not be running. */
  run(...argv: string[]): Promise<Result>;
}

export const PART: PartStatus = {
  name: 'files',
  kind: 'server',
  essential: false,
  state: 'ready',
  since: 0,
  restarts: 0,
};

/** The control socket of an appliance with these parts, without the appliance; `undefined` for none at all. */
export async function startBench(
  parts: readonly PartStatus[] | undefined,
  handlers: Partial<ControlHandlers> = {},
  variables: Record<string, string> = { LANG: 'en_US.UTF-8' },
): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), 'aivoice-cli-'));
  const logs = new LogRing();
  const server = new ControlServer({
    path: join(folder, 'control.sock'),
    clock: systemClock,
    log: createLog({ wall: () => 0, sink: () => {} }),
    handlers: {
      status: () => statusDocument({ version: '1.2.3', parts: parts ?? [] }),
      tools: () => [],
      call: async () => ({ result: { content: [] } }),
      say: async () => ({ sentences: [] }),
      restart: async () => ({ applied: true, problems: '' }),
      reload: async () => ({ applied: true, added: [], removed: [], restarted: [], problems: '' }),
      logs,
      ...handlers,
    },
  });
  const run = parts && (await server.start());
  const environment = {
    variables: { ...variables, RUNTIME_DIRECTORY: folder, HOME: folder },
    cwd: folder,
    execPath: process.execPath,
    uid: process.getuid?.() ?? 0,
  };
  return {
    logs,
    environment,
    async run(...argv) {
      let out = '';
      let err = '';
      const stdout = (text: string) => {
        out += text;
      };
      const stderr = (text: string) => {
        err += text;
      };
      const code = await runCommand(
        { environment, asked: new AbortController().signal, stdout, stderr },
        argv,
      );
      return { code, out, err };
    },
    async [Symbol.asyncDispose]() {
      await run?.[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}
