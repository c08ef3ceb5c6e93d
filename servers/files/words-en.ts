import {
  type Listing,
  type Reading,
  type SpecialKind,
  sizeInWords,
  type Wanted,
  type Words,
} from './words.ts';

const wanted: Record<Wanted, string> = {
  path: 'a path such as docs/a.txt, 4096 bytes and 64 folders at most',
  pattern: 'a part of a name, or a pattern such as *.txt',
  line: 'a line number from 1',
  range: 'a line number not before start_line',
  offset: 'a number from 0',
};
const special: Record<SpecialKind, string> = { fifo: 'a pipe', socket: 'a socket', device: 'a device' };

export const english: Words = {
  noRoot: (trouble) =>
    ({
      unset: 'no folder is shared; set MCP_FILE_ROOT to one',
      missing: 'the shared folder does not exist; make it or correct MCP_FILE_ROOT',
      file: 'MCP_FILE_ROOT names a file, not a folder',
      unreadable: 'the shared folder cannot be read; check its permissions',
      stuck: 'the shared folder does not answer; check the disk or network drive',
    })[trouble],
  outside: () =>
    'that path is outside the shared folder; paths are relative to it, and . is the folder itself',
  linkOutside: (path) => `${path} is a link that leads outside the shared folder, not followed`,
  linkCircle: (path) => `${path} is a link that leads in circles, not followed`,
  linkNowhere: (path) => `${path} is a link that leads nowhere`,
  notFound: (path, nearest) => `not found: ${path}${nearest === undefined ? '' : `; nearest: ${nearest}`}`,
  notFolder: (path) => `${path} is not a folder`,
  isFolder: (path) => `${path} is a folder; use list_dir`,
  special: (path, kind) => `${path} is ${special[kind]}, not a file with contents`,
  denied: (path) => `${path} is kept shut: it may hold secrets`,
  noPermission: (path) => `no permission to read ${path}`,
  unreadable: (path, errno) => `${path} cannot be read (${errno})`,
  binary: (path, kind, bytes) =>
    `${path} is binary, contents not shown (${kind === '' ? '' : `${kind}, `}${size(bytes)}); get_file_info tells more`,
  ambiguous: (path, names) => `${path} could be any of ${names.join(', ')}; give the exact name`,
  argument: (name, kind) => `${name} must be ${wanted[kind]}`,
  noSuchLine: (path, line, total) => `${path} has ${count(total, 'line')}; there is no line ${line}`,
  lineOutOfReach: (path, line, seen) =>
    `line ${line} of ${path} is too far in; ${count(seen, 'line')} were passed`,
  empty: (path) => `${path} is empty`,
  storedAs: (name) => `stored as ${name}`,
  mark: (kind) =>
    ({ link: 'link, blocked', shut: 'blocked', fifo: 'pipe', socket: 'socket', device: 'device' })[kind],
  listed,
  nextPage: (offset) => `go on with list_dir offset ${offset}`,
  read,
  cutHere: (bytes) => `… [cut; the line has ${bytes} bytes]`,
  details: ({ path, type, kind, text, bytes, modified }) => {
    if (type === 'directory') return `${path} is a folder, changed ${modified}`;
    if (type !== 'file') return `${path} is ${special[type]}, changed ${modified}`;
    const what = text === '' ? `a file${kind === '' ? '' : ` (${kind})`}` : `a text file (${text})`;
    return `${path} is ${what} of ${size(bytes)}, changed ${modified}`;
  },
  found: ({ pattern, path, shown, more, partial, searched }) => {
    const where = path === '.' ? '' : ` in ${path}`;
    const head =
      shown === 0
        ? `nothing is named ${pattern}${where}`
        : `${count(shown, 'match', 'matches')} for ${pattern}${where}`;
    const limit = partial ? `; partial: only ${count(searched, 'entry', 'entries')} were looked at` : '';
    return `${head}${more ? '; there are more, narrow the pattern' : ''}${limit}`;
  },
};

function listed({
  path,
  directories,
  files,
  others,
  hidden,
  total,
  uncounted,
  first,
  last,
}: Listing): string {
  const parts = [count(directories, 'directory', 'directories'), count(files, 'file')];
  if (others > 0) parts.push(count(others, 'other'));
  const more = uncounted ? 'more than ' : '';
  const shown = last === 0 ? 'showing none' : `showing ${first}-${last}`;
  const unseen = hidden > 0 ? `; ${count(hidden, 'hidden name')} not listed` : '';
  return `${more}${count(total, 'entry', 'entries')} in ${path} (${parts.join(', ')}), ${shown}${unseen}`;
}

function read(facts: Reading): string {
  const { path, first, last, total, seen, encoding, newline, truncated, cutLines, changed } = facts;
  const of = total === undefined ? `more than ${seen}` : String(total);
  const range = first === last ? `line ${first}` : `lines ${first}-${last}`;
  const notes = [
    ...(truncated ? [`truncated - ask read_file_lines from ${last + 1}`] : []),
    ...(cutLines > 0 ? [`${count(cutLines, 'long line')} cut`] : []),
    ...(changed ? ['the file changed meanwhile'] : []),
  ];
  return [`${range} of ${of} of ${path} (${encoding}${newline === '' ? '' : `, ${newline}`})`, ...notes].join(
    ', ',
  );
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

function size(bytes: number): string {
  return sizeInWords(bytes, bytes === 1 ? ' byte' : ' bytes');
}
