import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One thing in the image, in the words of CycloneDX 1.6. */
export interface Component {
  readonly type: 'library' | 'operating-system' | 'application';
  readonly name: string;
  readonly version: string;
  /** Package URL. */
  readonly purl: string;
  readonly licenses?: readonly { readonly license: { readonly name: string } }[];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

interface Package {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
  /** Source package and its version, as dpkg tells them. */
  readonly source: string;
}

/** Packages that dpkg knows of in a root: the stanzas of /var/lib/dpkg/status that are installed. */
export function installedPackages(status: string): Package[] {
  return status
    .split('\n\n')
    .filter((stanza) => /^Status: .* installed$/m.test(stanza))
    .map((stanza) => {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(stanza)?.[1];
      const name = field('Package') ?? '';
      const version = field('Version') ?? '';
      const [, source = name, sourceVersion = version] =
        /^(\S+)(?: \((.*)\))?$/.exec(field('Source') ?? name) ?? [];
      return {
        name,
        version,
        architecture: field('Architecture') ?? '',
        source: `${source} ${sourceVersion}`,
      };
    });
}

/** Packages that were taken apart without dpkg: name, version, architecture, source and its version, tabs between. */
export function unpackedPackages(lines: string): Package[] {
  return lines
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [name = '', version = '', architecture = '', source = name, sourceVersion = version] =
        line.split('\t');
      return { name, version, architecture, source: `${source} ${sourceVersion}` };
    });
}

export function debianComponent(root: string, suite: string, pkg: Package): Component {
  const { name, version, architecture, source } = pkg;
  const found = licencesOf(root, name);
  return {
    type: 'library',
    name,
    version,
    purl: `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}&distro=${suite}`,
    ...(found.length > 0 && { licenses: found.map((licence) => ({ license: { name: licence } })) }),
    properties: [{ name: 'debian:source', value: source }],
  };
}

/** Short names of a package's licences; none where Debian's file of them is only prose. */
function licencesOf(root: string, name: string): string[] {
  const file = join(root, 'usr/share/doc', name, 'copyright');
  if (!existsSync(file)) return [];
  const text = readFileSync(file, 'utf8');
  if (!/^Format: \S*copyright-format/m.test(text)) return [];
  return [...new Set([...text.matchAll(/^License: *(\S.*?) *$/gm)].map((match) => match[1] ?? ''))].sort();
}
