import { parseArgs } from 'node:util';
import { isServiceAddress } from '../host/flags.ts';

export interface Flags {
  readonly json: boolean;
  readonly serve: boolean;
  readonly questions: readonly string[];
  readonly mode: 'real' | 'self-hosted';
  /** The tool endpoint's; with --serve the voice part has the next one. 0: any free ones. */
  readonly port: number;
  /** What stands for speech: rows of tones, or a voice and a recogniser from Debian. */
  readonly speech: 'tones' | 'real';
  /** Turns without a pause for so long, in ms. */
  readonly soakMs: number | undefined;
  /** Whose language model thinks; undefined: the rules do. */
  readonly service: { readonly baseUrl: string; readonly model: string } | undefined;
  readonly help: boolean;
}

export const USAGE = `npm run bench                     a short guided run, ends with PASS or FAIL
npm run bench -- --speech real    the same, spoken by flite and understood by pocketsphinx (default tones)
npm run bench -- --soak 10m       spoken turns without a pause for so long (30s, 10m, 1h)
npm run bench -- --json           the same as one JSON object a line
npm run bench -- --ask "question" the answer alone on stdout (repeatable)
npm run bench -- --serve          only the bench cloud, until SIGTERM; with --ask it puts the questions to whoever connects
  --mode real|self-hosted         how the cloud behaves (default real)
  --brain openai --base-url URL --model NAME
                                  with --ask or --serve: a model of any chat-completions service thinks, not the rules
                                  (its key in $OPENAI_API_KEY)
  --port NUMBER                   its port; with --serve the voice part has the next one (default: any free ones)
`;

/** Reads the command line; where it is wrong, the sentence that says why. */
export function readFlags(args: readonly string[]): Flags | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        json: { type: 'boolean', default: false },
        serve: { type: 'boolean', default: false },
        ask: { type: 'string', multiple: true, default: [] },
        mode: { type: 'string', default: 'real' },
        port: { type: 'string', default: '0' },
        speech: { type: 'string', default: 'tones' },
        soak: { type: 'string' },
        brain: { type: 'string', default: 'rules' },
        'base-url': { type: 'string' },
        model: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    const { json, serve, ask: questions, mode, speech, help } = values;
    const soakMs = values.soak === undefined ? undefined : durationOf(values.soak);
    if (values.soak !== undefined && soakMs === undefined)
      return `--soak: expected a time such as 30s, 10m or 1h, got ${values.soak}`;
    if (speech !== 'tones' && speech !== 'real') return `--speech: expected tones or real, got ${speech}`;
    if (mode !== 'real' && mode !== 'self-hosted') return `--mode: expected real or self-hosted, got ${mode}`;
    const highest = serve ? 65_534 : 65_535;
    const port = /^\d{1,5}$/.test(values.port) ? Number(values.port) : Number.NaN;
    if (!(port <= highest)) return `--port: expected a number from 0 to ${highest}, got ${values.port}`;
    const { brain, 'base-url': baseUrl, model } = values;
    if (brain !== 'rules' && brain !== 'openai') return `--brain: expected rules or openai, got ${brain}`;
    const service = brain === 'openai' && baseUrl && model ? { baseUrl, model } : undefined;
    if (brain === 'openai' && !service) return '--brain openai: expected --base-url and --model';
    if (service && !isServiceAddress(service.baseUrl))
      return '--base-url: expected an http:// or https:// address without a password';
    if (!service && (baseUrl ?? model)) return '--base-url and --model go with --brain openai';
    // The guided run knows each answer word for word.
    if (service && !serve && questions.length === 0) return '--brain openai goes with --ask or --serve';
    return { json, serve, questions, mode, port, speech, soakMs, service, help };
  } catch (error) {
    // What follows its first sentence speaks of how to write such a word all the same.
    return (error as Error).message.split('. ')[0] ?? '';
  }
}

/** `90s`, `10m`, `1h` as ms; a day at most. */
function durationOf(text: string): number | undefined {
  const [, number = '', unit = ''] = /^(\d{1,5})(s|m|h)$/.exec(text) ?? [];
  const ms = Number(number) * ({ s: 1000, m: 60_000, h: 3_600_000 }[unit] ?? 0);
  return ms > 0 && ms <= 86_400_000 ? ms : undefined;
}
