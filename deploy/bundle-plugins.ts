import { readFileSync } from 'node:fs';
import type { TsdownPlugin } from 'tsdown';

/** What libraries load and we never use, by the file that holds it, and what stands in its place. */
const UNUSED: readonly (readonly [file: string, stand: string])[] = [
  // A JSON Schema validator for what a server asks of its client. `servers/stdio.ts` hands the SDK a stub; left in, it
  // costs each server 250 kB of code and 2 to 5 MB of memory.
  ['/validation/ajv-provider.js', 'export class AjvJsonSchemaValidator {}'],
  // We offer no compression, so none is ever agreed on; loading zlib for it takes 12 ms.
  ['/ws/lib/permessage-deflate.js', 'module.exports = { extensionName: "permessage-deflate" };'],
  ['/ws/lib/websocket-server.js', 'module.exports = class WebSocketServer {};'],
  ['/ws/lib/stream.js', 'module.exports = () => {};'],
];

export const withoutUnused: TsdownPlugin = {
  name: 'without-unused',
  load: (id: string) => UNUSED.find(([file]) => id.endsWith(file))?.[1],
};

/** Puts another version into what the programs read of the package.json in `file`. */
export function versioned(file: string, version: string): TsdownPlugin {
  const told = { ...JSON.parse(readFileSync(file, 'utf8')), version };
  return { name: 'versioned', load: (id: string) => (id === file ? JSON.stringify(told) : undefined) };
}

/** Notes the folder of each package that a bundle takes code from. */
export function noting(packages: Set<string>): TsdownPlugin {
  return {
    name: 'noting',
    generateBundle(_options, output) {
      for (const part of Object.values(output)) {
        if (part.type !== 'chunk') continue;
        for (const id of part.moduleIds) {
          const folder = /^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(id)?.[0];
          if (folder !== undefined) packages.add(folder);
        }
      }
    },
  };
}
