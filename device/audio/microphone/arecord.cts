/**
 * The recorder that node-record-lpcm16 is given by its path and loads by itself with `require`: so this is CommonJS, and
 * a file of its own in the bundle too. The library's own one asks for 125 ms periods and for a WAV header that ends the
 * recording after 2 GiB (audio notes 1).
 */
module.exports = (options: {
  /** The file of the program, and its whole environment. */
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  readonly device: string;
  readonly sampleRate: number;
  readonly channels: number;
  /** What is asked for beside: `--dump-hw-params`. */
  readonly flags: readonly string[];
}) => ({
  cmd: options.command,
  args: [
    ...['-D', options.device],
    ...['-t', 'raw'],
    ...['-f', 'S16_LE'],
    ...['-r', `${options.sampleRate}`],
    ...['-c', `${options.channels}`],
    // 20 ms is what a listener gets at a time; 200 ms is what a slow moment of ours may take before sound is lost.
    '--period-time=20000',
    '--buffer-time=200000',
    // Never -q: it also hides that the card took another rate than it was asked for.
    ...options.flags,
    '-',
  ],
  // A session of its own, so that a Ctrl-C reaches us alone; messages in English, since we read them.
  spawnOptions: { env: { ...options.env, LC_ALL: 'C' }, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
});
