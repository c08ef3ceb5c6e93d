import { Scanner } from '../scanner.ts';

/** The members of a JSON object by their names, each value as the JSON that came. */
export type Members = ReadonlyMap<string, string>;

/**
 * Takes a JSON object apart without reading its values: a number of 19 digits keeps them all, which it would not as a
 * number of ours. Of a key that stands twice the last counts. `undefined` where the bytes are no object.
 */
export function membersOf(json: Buffer): Members | undefined {
  const scanner = new MembersScanner().begin(json);
  return scanner.object(1) && scanner.atEnd() ? scanner.members : undefined;
}

/** The JSON of an object that has these members, but for `without`. */
export function objectWith(members: Members, without: string): string {
  const rest = [...members].filter(([name]) => name !== without);
  return `{${rest.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join()}}`;
}

class MembersScanner extends Scanner {
  readonly members = new Map<string, string>();

  protected override member(_place: number, keyStart: number, keyEnd: number): boolean {
    const bytes = this.bytes as Buffer;
    const name = JSON.parse(bytes.toString('utf8', keyStart - 1, keyEnd + 1)) as string;
    const start = this.at;
    if (!this.value()) return false;
    this.members.set(name, bytes.toString('utf8', start, this.at));
    return true;
  }
}
