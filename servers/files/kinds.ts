/** What the first bytes of a file say it is, for formats that people keep; each with where the mark stands. */
const MARKS: readonly (readonly [kind: string, mark: string, at?: number])[] = [
  ['PNG image', '\x89PNG'],
  ['JPEG image', '\xff\xd8\xff'],
  ['GIF image', 'GIF8'],
  ['WebP image', 'WEBP', 8],
  ['HEIF image', 'ftyphei', 4],
  ['AVIF image', 'ftypavif', 4],
  ['TIFF image', 'II*\0'],
  ['TIFF image', 'MM\0*'],
  ['PDF document', '%PDF-'],
  ['ZIP archive or office document', 'PK\x03\x04'],
  ['ZIP archive or office document', 'PK\x05\x06'],
  ['old office document', '\xd0\xcf\x11\xe0'],
  ['gzip archive', '\x1f\x8b'],
  ['bzip2 archive', 'BZh'],
  ['xz archive', '\xfd7zXZ'],
  ['zstd archive', '\x28\xb5\x2f\xfd'],
  ['7-Zip archive', '7z\xbc\xaf'],
  ['RAR archive', 'Rar!'],
  ['tar archive', 'ustar', 257],
  ['WAV audio', 'WAVE', 8],
  ['AVI video', 'AVI ', 8],
  ['Ogg audio', 'OggS'],
  ['FLAC audio', 'fLaC'],
  ['MP3 audio', 'ID3'],
  ['MP4 video', 'ftyp', 4],
  ['Matroska video', '\x1a\x45\xdf\xa3'],
  ['program', '\x7fELF'],
  ['SQLite database', 'SQLite format 3'],
];

/** The kind of a binary file in English words, or '' when no mark is known. */
export function kindOf(head: Buffer): string {
  const text = head.toString('latin1', 0, 512);
  return MARKS.find(([, mark, at = 0]) => text.startsWith(mark, at))?.[0] ?? '';
}
