import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realSpeech } from '../../scenario/prerequisite.ts';
import { resample } from '../../terminal/sound-card/resample.ts';
import { speechIn } from './real-speech-gate.ts';
import { ANSWERS, answerIn, dictionaryFor, grammarWith } from './real-speech-grammar.ts';
import { CMUDICT, flite, pocketsphinx, type Recogniser, SPEECH_HZ } from './real-speech-programs.ts';
import { writtenOut } from './real-speech-words.ts';
import { HEARD_HZ, SAID_HZ, type Speech } from './speech.ts';

export interface RealSpeechOptions {
  /** Answers to recognise beside the usual ones: whole sentences in English, in which `N` stands for any number. */
  readonly answers?: readonly string[];
}

/**
 * Speech that a person would take for speech: flite speaks, pocketsphinx listens with a grammar of its own. Any text can
 * be said; understood are the questions of real-speech.jsgf, recognised the answers of real-speech-grammar.ts. Rejects
 * where the programs are missing (`realSpeech()` of test/scenario/prerequisite.ts says so before), and for an answer with a word that no dictionary
 * has. Disposing removes its folder.
 */
export async function openRealSpeech(options: RealSpeechOptions = {}): Promise<Speech & AsyncDisposable> {
  const { skip } = realSpeech();
  if (skip !== false) throw new Error(`no real speech here: ${skip}`);
  const answers = [...(options.answers ?? []), ...ANSWERS];
  const grammar = grammarWith(answers);
  return new RealSpeech(answers, grammar, dictionaryFor(grammar, readFileSync(CMUDICT, 'utf8')));
}

class RealSpeech implements Speech, AsyncDisposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'aivoice-speech-'));
  readonly #answers: readonly string[];
  readonly #recogniser: Recogniser;

  constructor(answers: readonly string[], grammar: string, dictionary: string) {
    this.#answers = answers;
    this.#recogniser = {
      grammar: join(this.#folder, 'real-speech.jsgf'),
      dictionary: join(this.#folder, 'real-speech.dict'),
    };
    writeFileSync(this.#recogniser.grammar, grammar);
    writeFileSync(this.#recogniser.dictionary, dictionary);
  }

  async question(text: string): Promise<Int16Array> {
    return resample(await this.#speak(text), SPEECH_HZ, HEARD_HZ);
  }

  understand(heard: Int16Array): Promise<string | undefined> {
    return this.#listen(heard, HEARD_HZ, 'question');
  }

  async say(text: string): Promise<Int16Array> {
    return resample(await this.#speak(text), SPEECH_HZ, SAID_HZ);
  }

  async recognise(played: Int16Array, rateHz: number): Promise<string | undefined> {
    const words = await this.#listen(played, rateHz, 'answer');
    return words === undefined ? undefined : answerIn(words, this.#answers);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (process.env.KEEP) process.stderr.write(`kept: ${this.#folder}\n`);
    else rmSync(this.#folder, { recursive: true, force: true });
  }

  #speak(text: string): Promise<Int16Array> {
    return this.#inFolder((file) => flite(writtenOut(text), file));
  }

  async #listen(pcm: Int16Array, rateHz: number, rule: 'question' | 'answer'): Promise<string | undefined> {
    const speech = speechIn(resample(pcm, rateHz, SPEECH_HZ), SPEECH_HZ);
    if (speech === undefined) return undefined;
    return this.#inFolder((file) => pocketsphinx(speech, rule, this.#recogniser, file));
  }

  /** A folder for each call, gone when it is over: an hour of turns would fill hundreds of megabytes. */
  async #inFolder<T>(work: (file: string) => Promise<T>): Promise<T> {
    const folder = mkdtempSync(join(this.#folder, 'call-'));
    try {
      return await work(join(folder, 'speech'));
    } finally {
      if (!process.env.KEEP) rmSync(folder, { recursive: true, force: true });
    }
  }
}
