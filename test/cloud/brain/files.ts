import { type Fields, match, type Rule, type Saying } from './rule.ts';

const READ = [
  /^(?:ファイル)?「?(?<path>[^「」\s]+\.\w+)」?(?:の中身|の内容)?を(?:読んで|見せて|教えて|開いて)/,
  /^(?:please )?(?:read|open|show)(?: me)?(?: the)?(?: file)? ["“]?(?<path>[^\s"”]+\.\w+)["”]?$/i,
];

const LIST = [
  /^(?:「(?<path>[^」]+)」|(?<path2>[^\s「」]+?))(?:フォルダ|フォルダー)?の(?:中の)?ファイルの?(?:一覧|を見せて|を教えて|は)/,
  /ファイルの?(?:一覧|リスト)|どんなファイル|何のファイル|ファイルを(?:見せて|教えて)/,
  /(?:list|show)(?: me)?(?: all)?(?: the| my)? files(?: (?:in|of|under)(?: the)?(?: folder)? (?<path>\S+))?/i,
  /(?:what|which) files (?:are there|are|do i have)(?: in (?<path>\S+))?/i,
];

/** What stands in the file; the summary before it is not read out. */
const content: Saying = (text, fields) => String(fields.content ?? text);

/** メモ.txtを読んで · read notes.txt */
export const readFile: Rule = {
  tool: 'read_file',
  read: ({ text }) => match(text, READ),
  say: { ja: content, en: content },
};

/** ファイルの一覧を見せて · list the files in photos */
export const listFiles: Rule = {
  tool: 'list_dir',
  read({ text }) {
    const found = match(text, LIST);
    const path = found?.path ?? found?.path2;
    return found === undefined ? undefined : path === undefined ? {} : { path };
  },
  say: {
    ja: (text, fields) => {
      const names = namesIn(fields);
      if (names === undefined) return text;
      return names.length === 0 ? '何もありません' : `${names.join('、')}の${names.length}個です`;
    },
    en: (text, fields) => {
      const names = namesIn(fields);
      if (names === undefined) return text;
      return names.length === 0 ? 'There is nothing.' : `There are ${names.length}: ${names.join(', ')}.`;
    },
  },
};

function namesIn({ entries }: Fields): string[] | undefined {
  return Array.isArray(entries) ? entries.map((entry: { name: string }) => entry.name) : undefined;
}
