import { parseArgs } from 'node:util';

export interface Flags {
  readonly json: boolean;
  readonly serve: boolean;
  readonly questions: readonly string[];
  readonly mode: 'real' | 'self-hosted';
  readonly port: number;
  readonly help: boolean;
}

export const USAGE = `npm run bench                     a short guided run, ends with PASS or FAIL
npm run bench -- --json           the same as one JSON object a line
npm run bench -- --ask "question" the answer alone on stdout (repeatable)
npm run bench -- --serve          only the bench cloud, until SIGTERM; with --ask it puts the questions to whoever connects
  --mode real|self-hosted         how the cloud behaves (default real)
  --port NUMBER                   its port (default: any free one)
`;

/** Reads the command line; undefined where it is wrong. */
export function readFlags(args: readonly string[]): Flags | undefined {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        json: { type: 'boolean', default: false },
        serve: { type: 'boolean', default: false },
        ask: { type: 'string', multiple: true, default: [] },
        mode: { type: 'string', default: 'real' },
        port: { type: 'string', default: '0' },
        help: { type: 'boolean', default: false },
      },
    });
    const { json, serve, ask: questions, mode, help } = values;
    const port = Number(values.port);
    if ((mode !== 'real' && mode !== 'self-hosted') || !(port >= 0 && port <= 65_535)) return undefined;
    return { json, serve, questions, mode, port, help };
  } catch {
    return undefined;
  }
}
