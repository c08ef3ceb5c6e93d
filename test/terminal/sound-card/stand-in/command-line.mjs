const LONG = { device: 'D', format: 'f', rate: 'r', channels: 'c', duration: 'd', 'file-type': 't' };
const WITH_VALUE = new Set(['D', 't', 'f', 'r', 'c', 'd', 'period-time', 'buffer-time', 'start-delay']);
const ALONE = new Set(['q', 'dump-hw-params']);

/** What alsa-utils takes where nothing is said. */
const USUAL_BUFFER_US = 500_000;

/**
 * The arguments of arecord and aplay that an appliance uses, spelled in any of their ways. Everything else is refused,
 * so that a new argument is noticed here and not on the first real card.
 */
export function readArguments(args) {
  const found = { D: 'default', r: '8000', c: '1' };
  for (let at = 0; at < args.length; at++) {
    if (args[at] === '-') continue;
    const [, dashes, given, value] = /^(--?)([^=]*)(?:=(.*))?$/.exec(args[at]) ?? refuse(args[at]);
    const name = dashes === '--' ? (LONG[given] ?? given) : given;
    if (WITH_VALUE.has(name)) found[name] = value ?? args[++at] ?? refuse(args[at - 1]);
    else if (ALONE.has(name)) found[name] = true;
    else refuse(args[at]);
  }
  if (found.t !== 'raw') throw new Error('this stand-in knows no file type but -t raw');
  if (found.f !== 'S16_LE') throw new Error('this stand-in knows no format but -f S16_LE');
  const bufferUs = Number(found['buffer-time'] ?? USUAL_BUFFER_US);
  return {
    device: found.D,
    rateHz: Number(found.r),
    channels: Number(found.c),
    seconds: Number(found.d ?? 0),
    periodMs: Number(found['period-time'] ?? bufferUs / 4) / 1000,
    bufferMs: bufferUs / 1000,
    startDelayMs: found['start-delay'] === undefined ? undefined : Number(found['start-delay']) / 1000,
    dump: found['dump-hw-params'] === true,
  };
}

function refuse(argument) {
  throw new Error(`this stand-in does not know the argument ${argument}`);
}
