import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Room } from './room.ts';

const PROGRAMS = {
  arecord: new URL('./stand-in/arecord.mjs', import.meta.url),
  aplay: new URL('./stand-in/aplay.mjs', import.meta.url),
};

/** Puts programs named arecord and aplay into the room, first on PATH. They know their room by where they stand. */
export function installStandIn(room: Room): Readonly<Record<string, string>> {
  const { folder, hardware } = room;
  writeFileSync(join(folder, 'card.json'), JSON.stringify({ epoch: String(room.epoch), hardware }));
  for (const [name, program] of Object.entries(PROGRAMS)) {
    // A shell that becomes the program: a `#!` line can name neither the options of node nor the room.
    const start = [process.execPath, '--no-warnings', fileURLToPath(program), folder].map(quoted).join(' ');
    writeFileSync(join(folder, name), `#!/bin/sh\nexec ${start} "$@"\n`, { mode: 0o755 });
  }
  return { PATH: `${folder}${delimiter}${process.env.PATH ?? '/usr/bin:/bin'}` };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
