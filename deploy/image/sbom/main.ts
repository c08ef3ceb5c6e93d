/**
 * The list of contents of an image (CycloneDX 1.6, JSON) on stdout:
 *
 *     node deploy/image/sbom/main.ts VERSION SECONDS SUITE ROOT PACKAGES.tsv
 *
 * SECONDS is the time it is to say (since 1970), ROOT the tree of the root, PACKAGES.tsv those that dpkg knows nothing
 * of. The same input makes the same bytes.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { debianComponent, installedPackages, unpackedPackages } from './debian.ts';
import { factoryComponents } from './factory.ts';

const [version, seconds, suite, root, packages] = process.argv.slice(2);
if (version === undefined || suite === undefined || root === undefined || packages === undefined) {
  console.error('usage: main.ts VERSION SECONDS SUITE ROOT PACKAGES.tsv');
  process.exit(64);
}

const debian = [
  ...installedPackages(readFileSync(join(root, 'var/lib/dpkg/status'), 'utf8')),
  ...unpackedPackages(readFileSync(packages, 'utf8')),
].map((pkg) => debianComponent(root, suite, pkg));

const document = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: {
    // biome-ignore lint/style/noRestrictedGlobals: the time of the commit, not what time it is.
    timestamp: new Date(Number(seconds) * 1000).toISOString(),
    component: { type: 'operating-system', name: 'aivoice-image', version },
  },
  components: [...factoryComponents(root), ...debian.sort((a, b) => (a.purl < b.purl ? -1 : 1))],
};
console.log(JSON.stringify(document, null, 1));
