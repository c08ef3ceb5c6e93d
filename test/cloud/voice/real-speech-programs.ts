import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { realSpeech } from '../../scenario/prerequisite.ts';

const run = promisify(execFile);

const MODEL = realSpeech().path;
export const CMUDICT = `${MODEL}/cmudict-en-us.dict`;
/** Both take less than a second for a sentence; this is a machine that hangs. */
const PATIENCE_MS = 20_000;
/**
 * Log likelihood in a second of sound. Measured: the voice within the grammar -1,600 to -2,650, with noise 20 dB below it
 * to -2,980; what the grammar has no words for mostly -3,100 to -5,400, where there is a way through it at all.
 */
const LEAST_SCORE = -3050;

/** What voice and recogniser both have. */
export const SPEECH_HZ = 16_000;

/** Has flite say a text; `file` (without ending) is where it may put the sound. */
export async function flite(text: string, file: string): Promise<Int16Array> {
  await run('flite', ['-voice', 'slt', '-t', text, '-o', `${file}.wav`], bounds());
  return samplesIn(await readFile(`${file}.wav`));
}

export interface Recogniser {
  readonly grammar: string;
  readonly dictionary: string;
}

/**
 * Has pocketsphinx find the words of a rule in sound; undefined where they fit no way through the grammar, or badly.
 * Throws for every complaint but that one. (The batch program takes a file as one utterance; pocketsphinx_continuous cuts
 * it at pauses.)
 */
export async function pocketsphinx(
  sound: Int16Array,
  rule: 'question' | 'answer',
  { grammar, dictionary }: Recogniser,
  file: string,
): Promise<string | undefined> {
  const name = file.slice(file.lastIndexOf('/') + 1);
  const folder = file.slice(0, -name.length);
  await writeFile(`${file}.raw`, new Uint8Array(sound.buffer, sound.byteOffset, sound.byteLength));
  await writeFile(`${file}.ctl`, `${name}\n`);
  await run(
    'pocketsphinx_batch',
    [
      ['-hmm', `${MODEL}/en-us`, '-dict', dictionary, '-jsgf', grammar, '-toprule', `real_speech.${rule}`],
      ['-adcin', 'yes', '-cepdir', folder, '-cepext', '.raw', '-ctl', `${file}.ctl`],
      ['-hyp', `${file}.hyp`, '-logfn', `${file}.log`],
    ].flat(),
    bounds(),
  );
  const complaints = (await readFile(`${file}.log`, 'utf8'))
    .split('\n')
    .filter((line) => /^(?:ERROR|FATAL)/.test(line));
  const others = complaints.filter((line) => !line.includes('does not match the grammar'));
  if (others.length > 0) throw new Error(`pocketsphinx: ${others.join('; ')}`);
  return complaints.length > 0 ? undefined : wordsIn(await readFile(`${file}.hyp`, 'utf8'), sound);
}

/** `words (name score)`. */
function wordsIn(line: string, sound: Int16Array): string | undefined {
  const [, words = '', score] = /^(.*) \(\S+ (-?\d+)\)/.exec(line) ?? [];
  const perSecond = Number(score) / (sound.length / SPEECH_HZ);
  return words === '' || !(perSecond > LEAST_SCORE) ? undefined : words;
}

/** The samples of a RIFF file of one channel; flite writes its header in 44 bytes, and others need not. */
function samplesIn(riff: Buffer): Int16Array {
  const at = riff.indexOf('data', 12, 'latin1');
  const bytes = riff.readUInt32LE(at + 4);
  if (at < 0 || riff.readUInt32LE(24) !== SPEECH_HZ) throw new Error('flite wrote no sound of 16 kHz');
  return new Int16Array(new Uint8Array(riff.subarray(at + 8, at + 8 + bytes)).buffer);
}

function bounds() {
  return { timeout: PATIENCE_MS, killSignal: 'SIGKILL' } as const;
}
