import type { Tool } from '../stdio.ts';
import { Desk, type Settings } from './call.ts';
import { getFileInfo } from './file-info.ts';
import { listDir } from './list-dir.ts';
import { readFile, readFileLines } from './read-file.ts';
import { searchFilename } from './search.ts';

const path = {
  type: 'string',
  description: 'Relative to the shared folder, for example docs/memo.txt',
} as const;
const folder = {
  type: 'string',
  description: 'Folder, relative to the shared folder; the shared folder itself if left out',
} as const;
const line = { type: 'integer', minimum: 1 } as const;
const annotations = { readOnlyHint: true, openWorldHint: false } as const;

/** The five tools of the files server, which look at one shared folder and change nothing. */
export function filesTools(settings: Settings): Tool[] {
  const desk = new Desk(settings);
  return [
    {
      name: 'list_dir',
      description:
        'Lists a folder of the shared files (共有フォルダーの一覧): names with / after folders, 200 at a time; when truncated is true, go on with offset. Hidden names are not listed.',
      inputSchema: {
        type: 'object',
        properties: { path: folder, offset: { type: 'integer', minimum: 0, description: 'Entries to skip' } },
      },
      annotations,
      run: desk.run(listDir),
    },
    {
      name: 'read_file',
      description:
        'Reads a text file of the shared folder (ファイルを読む) from its first line, up to 2,000 lines or 500 KB; the encoding is found by itself (UTF-8, Shift_JIS, EUC-JP ...). The first line of the answer says where to go on with read_file_lines.',
      inputSchema: { type: 'object', properties: { path }, required: ['path'] },
      annotations,
      run: desk.run(readFile),
    },
    {
      name: 'read_file_lines',
      description:
        'Reads some lines of a text file of the shared folder, from start_line to end_line, both included (行を指定して読む).',
      inputSchema: {
        type: 'object',
        properties: { path, start_line: line, end_line: line },
        required: ['path', 'start_line', 'end_line'],
      },
      annotations,
      run: desk.run(readFileLines),
    },
    {
      name: 'get_file_info',
      description:
        'Tells what a file or folder of the shared folder is (ファイルの情報): type, size, time of change, and for a text its encoding and number of lines.',
      inputSchema: { type: 'object', properties: { path }, required: ['path'] },
      annotations,
      run: desk.run(getFileInfo),
    },
    {
      name: 'search_filename',
      description:
        'Finds files and folders by name below a shared folder (名前で探す): a part of the name, or a pattern with * ? [a-z] {a,b}; case and letter width do not matter. It does not look into files.',
      inputSchema: {
        type: 'object',
        properties: {
          pattern: { type: 'string', description: 'For example report, or *.txt' },
          path: folder,
        },
        required: ['pattern'],
      },
      annotations,
      run: desk.run(searchFilename),
    },
  ];
}
