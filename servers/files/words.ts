export type RootTrouble = 'unset' | 'missing' | 'file' | 'unreadable' | 'stuck';
/** What an argument should have been. */
export type Wanted = 'path' | 'pattern' | 'line' | 'range' | 'offset';
export type SpecialKind = 'fifo' | 'socket' | 'device';

export interface Listing {
  readonly path: string;
  readonly directories: number;
  readonly files: number;
  /** Links, pipes, sockets and devices. */
  readonly others: number;
  readonly hidden: number;
  readonly total: number;
  /** The folder holds more than were counted. */
  readonly uncounted: boolean;
  /** Position of the first and last entry shown, from 1; 0 and 0 when none is. */
  readonly first: number;
  readonly last: number;
}

export interface Reading {
  readonly path: string;
  readonly first: number;
  readonly last: number;
  readonly total: number | undefined;
  /** Lines that were surely seen, when the total is not known. */
  readonly seen: number;
  readonly encoding: string;
  readonly newline: string;
  readonly truncated: boolean;
  readonly cutLines: number;
  readonly changed: boolean;
}

interface Details {
  readonly path: string;
  readonly type: 'file' | 'directory' | SpecialKind;
  /** What its first bytes say it is; empty for text and unknown. */
  readonly kind: string;
  readonly text: string;
  readonly bytes: number;
  /** ISO 8601. */
  readonly modified: string;
}

interface Findings {
  readonly pattern: string;
  readonly path: string;
  readonly shown: number;
  readonly more: boolean;
  readonly partial: boolean;
  readonly searched: number;
}

/** Every sentence that a caller can meet: short and speakable. */
export interface Words {
  noRoot(trouble: RootTrouble): string;
  outside(): string;
  linkOutside(path: string): string;
  linkCircle(path: string): string;
  linkNowhere(path: string): string;
  notFound(path: string, nearest?: string): string;
  notFolder(path: string): string;
  isFolder(path: string): string;
  special(path: string, kind: SpecialKind): string;
  denied(path: string): string;
  noPermission(path: string): string;
  unreadable(path: string, errno: string): string;
  binary(path: string, kind: string, bytes: number): string;
  ambiguous(path: string, names: readonly string[]): string;
  argument(name: string, wanted: Wanted): string;
  noSuchLine(path: string, line: number, total: number): string;
  lineOutOfReach(path: string, line: number, seen: number): string;
  empty(path: string): string;
  storedAs(name: string): string;
  /** Beside a name in a listing: why it cannot be opened. */
  mark(kind: 'link' | 'shut' | SpecialKind): string;
  listed(facts: Listing): string;
  nextPage(offset: number): string;
  read(facts: Reading): string;
  /** Stands where a line of so many bytes was cut. */
  cutHere(bytes: number): string;
  details(facts: Details): string;
  found(facts: Findings): string;
}

/** 512 -> `512 bytes`, 1234567 -> `1.2 MB`: decimal units, two digits. */
export function sizeInWords(bytes: number, unit: string): string {
  if (bytes < 1000) return `${bytes}${unit}`;
  const power = Math.min(4, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${['', 'KB', 'MB', 'GB', 'TB'][power]}`;
}
