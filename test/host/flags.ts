import { parseArgs } from 'node:util';

export interface HostFlags {
  readonly chat: boolean;
  readonly model: string;
  readonly baseUrl: string;
  readonly system: string | undefined;
  /** What is asked, one turn each. */
  readonly questions: readonly string[];
  readonly help: boolean;
}

export const USAGE = `npm run host -- --model NAME "question" ...   asks, and writes the answers alone on stdout
npm run host -- --model NAME --chat           a conversation, one line of stdin a turn
  --base-url URL    a chat-completions service (default $OPENAI_BASE_URL, else https://api.openai.com/v1;
                    Ollama: http://127.0.0.1:11434/v1, llama.cpp: http://127.0.0.1:8080/v1)
  --model NAME      its model (default $OPENAI_MODEL)
  --system TEXT     stands before the conversation
The key is read from $OPENAI_API_KEY. Servers: .mcp.json, mcp_settings.json, $HOME/.mcp.json; without them the built-in ones.
Exit code: 0 all answered, 1 an answer is missing, 64 wrong usage, 130 interrupted.
`;

/** Reads the command line; undefined where it is wrong. */
export function readHostFlags(
  args: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
): HostFlags | undefined {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        chat: { type: 'boolean', default: false },
        model: { type: 'string' },
        'base-url': { type: 'string' },
        system: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    const { chat, system, help } = values;
    const model = values.model ?? variables.OPENAI_MODEL ?? '';
    const baseUrl = values['base-url'] ?? (variables.OPENAI_BASE_URL || 'https://api.openai.com/v1');
    const isAsked = chat !== positionals.length > 0;
    if (!help && (model === '' || !isAsked || !isServiceAddress(baseUrl))) return undefined;
    return { chat, model, baseUrl, system, questions: positionals, help };
  } catch {
    return undefined;
  }
}

/** A key in an address ends in logs and in the list of processes; it has its variable. */
export function isServiceAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.password === '';
}
