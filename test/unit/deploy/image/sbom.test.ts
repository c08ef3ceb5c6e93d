import assert from 'node:assert/strict';
import { it } from 'node:test';
import { installedPackages, unpackedPackages } from '../../../../deploy/image/sbom/debian.ts';

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
