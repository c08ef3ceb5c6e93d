import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Component } from './debian.ts';

interface Described {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
}

/** What the factory release says of itself: the product, its Node, and the packages that are files of their own. */
export function factoryComponents(root: string): Component[] {
  const factory = join(root, 'opt/aivoice/factory');
  const manifest = join(factory, 'manifest.json');
  if (!existsSync(manifest)) return [];
  const { version, node } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string; node: string };
  const packages = globSync('node_modules/{*,@*/*}/package.json', { cwd: factory })
    .sort()
    .map((path) => JSON.parse(readFileSync(join(factory, path), 'utf8')) as Described);
  return [
    { type: 'application', name: 'aivoice', version, purl: `pkg:generic/aivoice@${version}` },
    { type: 'application', name: 'node', version: node, purl: `pkg:generic/node@${node}` },
    ...packages.flatMap((described) => npmComponent(described) ?? []),
  ];
}

function npmComponent({ name, version, license }: Described): Component | undefined {
  if (name === undefined || version === undefined) return undefined;
  return {
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(license !== undefined && { licenses: [{ license: { name: license } }] }),
  };
}
