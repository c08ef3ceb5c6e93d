import { convert } from './convert.mjs';
import { begin, say } from './program.mjs';
import { GONE, now } from './side.mjs';

/** What may wait for a reader beside what the kernel's pipe holds; then the ring fills. */
const BACKLOG_BYTES = 4096;

const { side, options } = begin('arecord', 'microphone');
const { rateHz, channels, seconds } = options;
const period = Math.round((options.periodMs * rateHz) / 1000);
const buffer = Math.round((options.bufferMs * rateHz) / 1000);
const step = side.rateHz / rateHz;

let zero; // ns when frame 0 was captured
let taken = 0; // frames since then that were written out
let written = 0;

function start() {
  zero = now();
  taken = 0;
  side.tell('start', zero);
  wake();
}

function wake() {
  const time = now();
  const fault = side.fault();
  if (fault === 'vanished') return end(1, `arecord: pcm_read:2221: read error: ${GONE}`);
  if (fault === 'stalled') zero = time - (taken / rateHz) * 1e9;
  else side.alive(time);
  const captured = Math.floor(((time - zero) * rateHz) / 1e9);
  if (captured - taken > buffer) {
    const lost = zero + ((taken + buffer) / rateHz) * 1e9;
    side.tell('xrun', lost);
    say(`overrun!!! (at least ${((time - lost) / 1e6).toFixed(3)} ms long)`);
    return start();
  }
  while (captured - taken >= period && process.stdout.writableLength < BACKLOG_BYTES) {
    process.stdout.write(new Uint8Array(take().buffer));
    if (seconds > 0 && written >= seconds * rateHz) return end(0);
  }
  const next = zero + ((taken + period) / rateHz) * 1e9;
  setTimeout(wake, Math.max(1, Math.ceil((next - now()) / 1e6)));
}

/** The next period, or what is left of the duration. */
function take() {
  const count = seconds > 0 ? Math.min(period, seconds * rateHz - written) : period;
  const from = side.frame(zero) + taken * step;
  const first = Math.floor(from);
  const heard = side.hear(first, Math.ceil(count * step) + 2);
  taken += period;
  written += count;
  return convert(heard, side.channels, { from: from - first, step, count, wanted: channels });
}

function end(code, words) {
  side.tell('stop', now());
  side.release();
  if (words !== undefined) say(words);
  if (code === 0) process.stdout.write('', () => process.exit(0));
  else process.exit(code);
}

process.on('SIGTERM', () => end(1, 'arecord: pcm_read:2221: read error: Interrupted system call'));
process.on('SIGINT', () => end(1));
process.stdout.on('error', () => end(1));
start();
