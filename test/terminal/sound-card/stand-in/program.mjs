import { readArguments } from './command-line.mjs';
import { Side } from './side.mjs';

/**
 * What both programs do before sound moves: read the arguments, open the side, see that it can do what is asked. Ends
 * the process, with the words of alsa-utils, where it cannot.
 */
export function begin(name, sideName) {
  const [folder, ...args] = process.argv.slice(2);
  let options;
  try {
    options = readArguments(args);
  } catch (error) {
    fail(`${name}: ${error.message}`);
  }
  const side = new Side(folder, sideName);
  const bare = options.device === `bench_${sideName}_hw`;
  if (!bare && options.device !== `bench_${sideName}` && options.device !== 'default') {
    fail(
      `ALSA lib pcm.c:2666:(snd_pcm_open_noupdate) Unknown PCM ${options.device}\n${name}: main:831: audio open error: No such file or directory`,
    );
  }
  const taken = side.take();
  if (taken !== undefined) fail(`${name}: main:831: audio open error: ${taken}`);
  if (options.dump) say(capabilities(options.device, side, bare));
  if (bare && options.channels !== side.channels) {
    side.release();
    fail(`${name}: set_params:1358: Channels count non available`);
  }
  if (bare && Math.abs(options.rateHz / side.rateHz - 1) > 0.05) {
    say(`Warning: rate is not accurate (requested = ${options.rateHz}Hz, got = ${side.rateHz}Hz)`);
    say(`         please, try the plug plugin (-Dplug:${options.device})`);
  }
  return { side, options: bare ? { ...options, rateHz: side.rateHz } : options };
}

export function say(text) {
  process.stderr.write(`${text}\n`);
}

function fail(text) {
  // process.stderr is a pipe here, and exit would not wait for it: a fault that is not told is worse than a late one.
  process.stderr.write(`${text}\n`, () => process.exit(1));
  throw new Ended();
}

/** Thrown so that nothing more happens while the last words are written. */
class Ended extends Error {}
process.on('uncaughtException', (error) => {
  if (error instanceof Ended) return;
  process.stderr.write(`${error.stack}\n`, () => process.exit(70));
});

function capabilities(device, side, bare) {
  const lines = bare
    ? [`CHANNELS: ${side.channels}`, `RATE: ${side.rateHz}`]
    : ['CHANNELS: [1 10000]', 'RATE: [4000 4294967295)'];
  const bar = '--------------------';
  return [
    `HW Params of device "${device}":`,
    bar,
    'ACCESS:  RW_INTERLEAVED',
    'FORMAT:  S16_LE',
    ...lines,
    bar,
  ].join('\n');
}
