/**
 * `npm run numbers`: the figures that README shows, on this machine, with nothing else running: those of the voice, or
 * with `--tools` those of slow tools and remote servers.
 */
import { measureRest } from './rest.ts';
import { inWords } from './spread.ts';
import { type Line, toolLines } from './tools.ts';
import { measureTurns } from './turns.ts';

const ROUNDS = 20;
const REST_MS = 60_000;

const lines = process.argv.includes('--tools') ? await toolLines() : await voiceLines();
for (const line of lines) process.stdout.write(`| ${line.join(' | ')} |\n`);

async function voiceLines(): Promise<readonly Line[]> {
  const turns = await measureTurns(ROUNDS);
  const rest = await measureRest(REST_MS);
  return [
    ['microphone sample to its packet at the cloud', '60 + 10 ms', inWords(turns.microphoneToSocket, 'ms')],
    ['first packet of the answer to first sound', '180 + 80 ms', inWords(turns.packetToSound, 'ms')],
    ['press to light', '50 ms', inWords(turns.pressToLight, 'ms')],
    ['press to listening announced, less dial to hello', '30 ms', inWords(turns.pressToAnnounced, 'ms')],
    ['interruption to silence', '100 ms', inWords(turns.interruptToSilence, 'ms')],
    ['CPU at rest, with wake word', '4 %', `${rest.wakeWord.cpu.toFixed(1)} %`],
    ['CPU at rest, without', '1 %', `${rest.voice.cpu.toFixed(1)} %`],
    ['memory added by voice', '45 MB', `${(rest.voice.memoryMb - rest.without.memoryMb).toFixed(1)} MB`],
    [
      'memory added with wake word and speech detection',
      '100 MB',
      `${(rest.wakeWord.memoryMb - rest.without.memoryMb).toFixed(1)} MB`,
    ],
  ];
}
