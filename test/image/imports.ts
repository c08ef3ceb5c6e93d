import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** An import of a file of ours: beside this one, or of the kernel by its short name (package.json). */
const IMPORT = /(?:from|import\(?)\s*'((?:\.{1,2}|#kernel)\/[^']+)'/g;

/** These files of `root` and all that they import, and so on: what a bundle of them is made of. */
export function withImports(root: string, files: readonly string[]): readonly string[] {
  const found = new Set(files);
  // A set that grows is walked to its new end.
  for (const file of found) {
    if (!file.endsWith('.ts')) continue;
    for (const [, name = ''] of readFileSync(join(root, file), 'utf8').matchAll(IMPORT)) {
      const target = name.startsWith('#kernel/')
        ? name.replace('#kernel/', 'device/kernel/')
        : normalize(join(dirname(file), name));
      if (existsSync(join(root, target))) found.add(target);
    }
  }
  return [...found];
}
