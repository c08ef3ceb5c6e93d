import { join } from 'node:path';

/** Where the bundle of a built-in server is. */
export function builtIn(name: string): string {
  return join(import.meta.dirname, '..', '..', 'dist', 'servers', `${name}.js`);
}

interface Example {
  readonly args: Record<string, unknown>;
  /** What the text of the answer says, given NOTE as `note.txt` in the root of files. */
  readonly says: RegExp;
}

export const NOTE = 'one\ntwo\n';

/** Every tool of every built-in server, in the order of the list, with a call that works. */
export const BUILT_IN: Readonly<Record<string, Readonly<Record<string, Example>>>> = {
  calculator: { calculate: { args: { expression: '1004*328' }, says: /329312/ } },
  files: {
    list_dir: { args: {}, says: /note\.txt/ },
    read_file: { args: { path: 'note.txt' }, says: /one\ntwo/ },
    read_file_lines: { args: { path: 'note.txt', start_line: 2, end_line: 2 }, says: /two/ },
    get_file_info: { args: { path: 'note.txt' }, says: /8 bytes/ },
    search_filename: { args: { pattern: '*.txt' }, says: /note\.txt/ },
  },
  everyday: {
    get_time: { args: { timezone: 'Asia/Tokyo' }, says: /Asia\/Tokyo/ },
    echo: { args: { text: 'こんにちは' }, says: /^こんにちは$/ },
    calculate_bmi: { args: { weight_kg: 65, height_m: 1.7 }, says: /22\.5/ },
    fetch_weather: { args: { city: 'Sapporo' }, says: /Sapporo, Japan: .*-1\.5/ },
  },
};
