/** A regular file of a release. Runnable ones are 0755, the rest 0644; nothing else comes into a release. */
export interface ReleaseFile {
  /** Relative to the top of the release, parts joined by `/`. */
  readonly path: string;
  readonly mode: 0o644 | 0o755;
  readonly bytes: Buffer;
}

export function plain(path: string, bytes: Buffer | string): ReleaseFile {
  return { path, mode: 0o644, bytes: Buffer.from(bytes) };
}

export function runnable(path: string, bytes: Buffer | string): ReleaseFile {
  return { path, mode: 0o755, bytes: Buffer.from(bytes) };
}

/** The order of a release: by the bytes of the path, which no locale changes. */
export function sorted<F extends { readonly path: string }>(files: readonly F[]): readonly F[] {
  return files.toSorted((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
}
