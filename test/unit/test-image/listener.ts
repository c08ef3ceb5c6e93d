import { Writable } from 'node:stream';

/** Something to report to, and what it was told. */
export function listener() {
  const told: string[] = [];
  const out = new Writable({
    write(chunk, _encoding, done) {
      told.push(String(chunk));
      done();
    },
  });
  return { out, said: () => told.join('') };
}
