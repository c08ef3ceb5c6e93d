import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { it } from 'node:test';
import { installedPackages, unpackedPackages } from '../../../../deploy/image/sbom/debian.ts';
import { factoryComponents } from '../../../../deploy/image/sbom/factory.ts';

const STATUS = `Package: libc6
Status: install ok installed
Architecture: arm64
Multi-Arch: same
Source: glibc
Version: 2.41-12
Description: GNU C Library

Package: libzstd1
Status: install ok installed
Architecture: arm64
Source: libzstd (1.5.7+dfsg-1)
Version: 1.5.7+dfsg-1+b1

Package: gone
Status: deinstall ok config-files
Architecture: all
Version: 1

Package: less
Status: install ok installed
Architecture: arm64
Version: 668-1
`;

it('packages that are installed are told with their version and where they were built from', () => {
  assert.deepEqual(installedPackages(STATUS), [
    { name: 'libc6', version: '2.41-12', architecture: 'arm64', source: 'glibc 2.41-12' },
    {
      name: 'libzstd1',
      version: '1.5.7+dfsg-1+b1',
      architecture: 'arm64',
      source: 'libzstd 1.5.7+dfsg-1',
    },
    { name: 'less', version: '668-1', architecture: 'arm64', source: 'less 668-1' },
  ]);
});

it('packages that were taken apart without dpkg are told as well', () => {
  assert.deepEqual(unpackedPackages('wireless-regdb\t2026.09.03-1\tall\twireless-regdb\t2026.09.03-1\n'), [
    {
      name: 'wireless-regdb',
      version: '2026.09.03-1',
      architecture: 'all',
      source: 'wireless-regdb 2026.09.03-1',
    },
  ]);
});

it('a package that is only in the bundle is told with the others', (context) => {
  const root = mkdtempSync(join(tmpdir(), 'aivoice-sbom-'));
  context.after(() => rmSync(root, { recursive: true }));
  for (const [path, text] of [
    ['manifest.json', '{"version":"1.2.3","node":"26.1.0"}'],
    ['licences/node-26.1.0.txt', ''],
    ['licences/wake-words.txt', ''],
    ['licences/decimal.js-10.6.0.txt', ''],
    ['licences/@serialport/parser-readline-12.0.0.txt', ''],
    [
      'node_modules/a/node_modules/@serialport/parser-readline/package.json',
      '{"name":"@serialport/parser-readline","version":"12.0.0","license":"MIT"}',
    ],
  ] as const) {
    const file = join(root, 'opt/aivoice/factory', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  assert.deepEqual(
    factoryComponents(root).map(({ purl, licenses }) => [purl, licenses?.[0]?.license.name]),
    [
      ['pkg:generic/aivoice@1.2.3', undefined],
      ['pkg:generic/node@26.1.0', undefined],
      ['pkg:npm/%40serialport/parser-readline@12.0.0', 'MIT'],
      ['pkg:npm/decimal.js@10.6.0', undefined],
    ],
  );
});
