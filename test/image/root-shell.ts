import { connect, type Socket } from 'node:net';
import { StringDecoder } from 'node:string_decoder';

export interface Answer {
  readonly code: number;
  /** stdout and stderr, without the last line's end. */
  readonly output: string;
}

/** What is sent before the line is open waits there, but for the first bytes: each question more is one to be answered. */
const ASK_AGAIN_MS = 4000;
/** In two halves, since the echo of this line is no answer. */
const WAKE = '\n\necho aw""ake\n';
const WORD = 'awake';
/** Then a shell without line editing, echo, prompts or news of jobs. */
const SETTLE = `exec sh -c 'stty raw -echo -onlcr; export PS1= PS2= SYSTEMD_COLORS=0 SYSTEMD_URLIFY=0 SYSTEMD_PAGER=cat; echo set""tled; exec sh'\n`;
const SETTLED = 'settled';
/** What an answer may have; one command's output is far below. */
const MOST = 4 << 20;

/** Finds one command's answer in what came over the line; undefined while it is not whole. */
export function answerIn(text: string, id: number): Answer | undefined {
  const begin = `<${id}<\n`;
  const from = text.indexOf(begin);
  if (from < 0) return undefined;
  const body = text.slice(from + begin.length);
  const [whole, code] = new RegExp(`\\n>${id}> (\\d+)\\n`).exec(body) ?? [];
  if (whole === undefined) return undefined;
  return { code: Number(code), output: body.slice(0, body.indexOf(whole)) };
}

/**
 * How a command is put to the shell so that `answerIn` finds what it said. In a shell of its own: a folder that one
 * command went to is gone after an update, and with it every program that asks where it is.
 */
export function question(command: string, id: number): string {
  return `printf '<%d<\\n' ${id}; ( ${command}\n) </dev/null 2>&1; printf '\\n>%d> %d\\n' ${id} $?\n`;
}

/** RootShell: systemd's debug shell on a serial line of the machine, one command at a time. For tests: no account has root. */
export class RootShell implements Disposable {
  readonly #socket: Socket;
  readonly #decoder = new StringDecoder('utf8');
  #text = '';
  #wake: () => void = () => {};
  #ids = 0;
  #lost: string | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (bytes) => {
      this.#text = (this.#text + this.#decoder.write(bytes)).slice(-MOST);
      this.#wake();
    });
    for (const event of ['error', 'close']) {
      socket.on(event, () => {
        this.#lost ??= 'the machine is off';
        this.#wake();
      });
    }
  }

  /** Waits until the shell behind the socket answers. */
  static async reach(path: string, ms: number): Promise<RootShell> {
    const shell = new RootShell(connect(path));
    const deadline = performance.now() + ms;
    await shell.#said(WORD, deadline, WAKE);
    shell.#socket.write(SETTLE);
    await shell.#said(SETTLED, deadline);
    return shell;
  }

  /** Runs one command line. Throws when it takes longer than `ms`, or when the power goes. */
  async run(command: string, ms = 60_000): Promise<Answer> {
    const id = ++this.#ids;
    this.#text = '';
    this.#socket.write(question(command, id));
    const deadline = performance.now() + ms;
    for (;;) {
      const answer = answerIn(this.#text, id);
      if (answer !== undefined) return answer;
      if (this.#lost !== undefined) throw new Error(this.#lost);
      const left = deadline - performance.now();
      if (left <= 0) {
        throw new Error(
          `within ${ms / 1000} s no end of: ${command.slice(0, 200)}\n${this.#text.slice(-500)}`,
        );
      }
      await this.#more(left);
    }
  }

  /** The same, for a command that has to succeed; resolves with what it said. */
  async get(command: string, ms?: number): Promise<string> {
    const { code, output } = await this.run(command, ms);
    if (code !== 0) throw new Error(`${code} of: ${command.slice(0, 200)}\n${output.slice(-800)}`);
    return output;
  }

  /** Repeats a command until it succeeds. */
  async until(command: string, ms: number): Promise<void> {
    await this.get(`until ${command}; do sleep 0.2; done`, ms);
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }

  /** Waits for a word on the line; says `again` until it comes. */
  async #said(word: string, deadline: number, again?: string): Promise<void> {
    let askAt = 0;
    while (!this.#text.includes(word)) {
      const now = performance.now();
      if (this.#lost !== undefined) throw new Error(this.#lost);
      if (now > deadline) {
        this[Symbol.dispose]();
        throw new Error(`no shell answered in time; the line said: ${this.#text.slice(-300)}`);
      }
      if (again !== undefined && now >= askAt) {
        this.#socket.write(again);
        askAt = now + ASK_AGAIN_MS;
      }
      await this.#more(ASK_AGAIN_MS);
    }
  }

  #more(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
