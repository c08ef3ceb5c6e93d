import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Component } from './debian.ts';

interface Described {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
}

/** What the release says of itself: the product, its Node, and every package in it, be it a folder or in the bundle. */
export function factoryComponents(root: string): Component[] {
  const factory = join(root, 'opt/aivoice/factory');
  const manifest = join(factory, 'manifest.json');
  if (!existsSync(manifest)) return [];
  const { version, node } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string; node: string };
  const licences = licencesOf(factory);
  return [
    { type: 'application', name: 'aivoice', version, purl: `pkg:generic/aivoice@${version}` },
    { type: 'application', name: 'node', version: node, purl: `pkg:generic/node@${node}` },
    ...packagesOf(factory).map((named) => npmComponent(named, licences)),
  ];
}

/** `licences/@serialport/stream-13.0.0.txt`, say. */
const NAMED = /^licences\/(.+?)-(\d+\.\d+\.\d+[^/]*)\.txt$/;

interface Named {
  readonly name: string;
  readonly version: string;
}

/** A release holds one text for each package that is in it, by name and version; that of Node stands among them. */
function packagesOf(factory: string): Named[] {
  return globSync('licences/**/*.txt', { cwd: factory })
    .sort()
    .flatMap((path) => {
      const [, name = 'node', version = ''] = NAMED.exec(path) ?? [];
      return name === 'node' ? [] : [{ name, version }];
    });
}

/** What packages say of their licence that are folders of their own, by name and version. */
function licencesOf(factory: string): ReadonlyMap<string, string> {
  const files = globSync('node_modules/**/package.json', { cwd: factory });
  const described = files.map((path) => JSON.parse(readFileSync(join(factory, path), 'utf8')) as Described);
  return new Map(described.map(({ name, version, license }) => [`${name}@${version}`, license ?? '']));
}

function npmComponent({ name, version }: Named, licences: ReadonlyMap<string, string>): Component {
  const license = licences.get(`${name}@${version}`);
  return {
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(license && { licenses: [{ license: { name: license } }] }),
  };
}
