import { convert } from './convert.mjs';
import { begin, say } from './program.mjs';
import { GONE, now } from './side.mjs';

/** As the plugin: sound leaves the ring in steps of this. */
const STEP_MS = 5;

const { side, options } = begin('aplay', 'speaker');
const { rateHz, channels } = options;
const period = Math.round((options.periodMs * rateHz) / 1000);
const buffer = Math.round((options.bufferMs * rateHz) / 1000);
const threshold =
  options.startDelayMs === undefined ? buffer : Math.round((options.startDelayMs * rateHz) / 1000);
const step = rateHz / side.rateHz;

let zero; // ns when frame 0 of this run left; undefined while nothing runs
let moved = 0; // ns up to when the sound is in the room
let played = 0;
let ring = new Int16Array(0); // frames from `played` on
let dry = 0; // ns when the ring ran dry; 0 where it did not
let whole = true; // the last period that came was
let drained = false;

const queued = () => ring.length / channels;
const leaves = (frame) => zero + (frame / rateHz) * 1e9;

function start() {
  zero = moved = now();
  played = 0;
  side.tell('start', zero);
}

/** Brings the card up to now. */
function catchUp() {
  if (zero === undefined) return;
  const time = now();
  const fault = side.fault();
  if (fault === 'stalled') {
    zero = time - (played / rateHz) * 1e9;
    moved = time;
    return;
  }
  const due = Math.floor(((time - zero) * rateHz) / 1e9) - played;
  const short = due > queued();
  play(Math.min(due, queued()));
  moved = Math.min(time, leaves(played + queued()));
  side.alive(moved);
  if (fault === 'vanished') end(1, `aplay: pcm_write:2127: write error: ${GONE}`);
  else if (short && drained) end(0);
  else if (short) {
    dry = leaves(played);
    zero = undefined;
    side.tell('xrun', dry);
  }
}

/** Lets frames leave: those of the hardware whose time falls into theirs. */
function play(count) {
  if (count <= 0) return;
  const first = Math.ceil(played / step);
  const frames = Math.ceil((played + count) / step) - first;
  const sound = convert(ring, channels, {
    from: first * step - played,
    step,
    count: frames,
    wanted: side.channels,
  });
  side.play(side.frame(zero) + first, sound);
  ring = ring.subarray(count * channels);
  played += count;
}

/** Moves what came into the ring, a whole period at a time as aplay does. */
function feed() {
  while (!drained && queued() + period <= buffer) {
    const chunk = process.stdin.read(period * channels * 2);
    if (chunk === null) break;
    write(chunk);
  }
}

/** A last period that is not full is filled up with silence. */
function write(chunk) {
  if (dry !== 0) say(`underrun!!! (at least ${((now() - dry) / 1e6).toFixed(3)} ms long)`);
  dry = 0;
  const more = new Int16Array(ring.length + period * channels);
  more.set(ring);
  new Uint8Array(more.buffer, ring.byteLength).set(chunk);
  ring = more;
  whole = chunk.length === period * channels * 2;
  if (zero === undefined && queued() >= Math.min(threshold, buffer - (buffer % period))) start();
}

/** aplay ends with a period of silence where its input ended with a whole one. */
function drain() {
  if (whole) write(Buffer.alloc(0));
  drained = true;
  if (zero === undefined) start();
}

function end(code, words) {
  clearInterval(timer);
  if (zero !== undefined) side.tell('stop', moved);
  side.release();
  if (words !== undefined) say(words);
  process.exit(code);
}

function tick() {
  catchUp();
  feed();
}

const timer = setInterval(tick, STEP_MS);
process.stdin.on('readable', feed);
process.stdin.on('end', drain);
for (const signal of ['SIGTERM', 'SIGINT']) {
  process.on(signal, () => {
    catchUp();
    end(1);
  });
}
