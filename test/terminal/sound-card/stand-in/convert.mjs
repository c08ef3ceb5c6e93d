/** Sample of one channel where the other side has `channels`: the mean for one, the same on each for more. */
function sample(frames, at, channels, channel, wanted) {
  if (channels === wanted) return frames[at * channels + channel];
  if (wanted > channels) return frames[at * channels + Math.min(channel, channels - 1)];
  let sum = 0;
  for (let each = 0; each < channels; each++) sum += frames[at * channels + each];
  return sum / channels;
}

/**
 * `count` frames of `wanted` channels, the first at `from` in `frames` and each `step` further on, by straight lines: as
 * ALSA's own converter, and enough for sound that was made without what the lower rate cannot hold.
 */
export function convert(frames, channels, { from, step, count, wanted }) {
  const last = frames.length / channels - 1;
  const out = new Int16Array(count * wanted);
  for (let frame = 0; frame < count; frame++) {
    const exact = from + frame * step;
    const at = Math.max(0, Math.min(last, Math.floor(exact)));
    const next = Math.min(last, at + 1);
    const part = exact - at;
    for (let channel = 0; channel < wanted; channel++) {
      const here = sample(frames, at, channels, channel, wanted);
      const there = sample(frames, next, channels, channel, wanted);
      out[frame * wanted + channel] = Math.round(here + (there - here) * part);
    }
  }
  return out;
}
