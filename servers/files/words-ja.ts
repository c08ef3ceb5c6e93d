import {
  type Listing,
  type Reading,
  type SpecialKind,
  sizeInWords,
  type Wanted,
  type Words,
} from './words.ts';

const wanted: Record<Wanted, string> = {
  path: 'docs/a.txt のような、4096 バイト・64 階層までのパス',
  pattern: '名前の一部か、*.txt のような形',
  line: '1 以上の行番号',
  range: 'start_line 以上の行番号',
  offset: '0 以上の数',
};
const special: Record<SpecialKind, string> = { fifo: 'パイプ', socket: 'ソケット', device: 'デバイス' };

export const japanese: Words = {
  noRoot: (trouble) =>
    ({
      unset: '共有フォルダーが設定されていません。MCP_FILE_ROOT を設定してください',
      missing: '共有フォルダーがありません。作るか、MCP_FILE_ROOT を直してください',
      file: 'MCP_FILE_ROOT がフォルダーではなくファイルを指しています',
      unreadable: '共有フォルダーを読めません。権限を確かめてください',
      stuck: '共有フォルダーが応答しません。ディスクかネットワークドライブを確かめてください',
    })[trouble],
  outside: () =>
    '共有フォルダーの外の場所です。共有フォルダーからの相対パスで指定してください。. が共有フォルダー自身です',
  linkOutside: (path) => `${path} は共有フォルダーの外へのリンクなので、たどりません`,
  linkCircle: (path) => `${path} は堂々巡りのリンクなので、たどりません`,
  linkNowhere: (path) => `${path} はリンク先のないリンクです`,
  notFound: (path, nearest) =>
    `${path} は見つかりません${nearest === undefined ? '' : `。近い名前: ${nearest}`}`,
  notFolder: (path) => `${path} はフォルダーではありません`,
  isFolder: (path) => `${path} はフォルダーです。list_dir を使ってください`,
  special: (path, kind) => `${path} は${special[kind]}なので、内容はありません`,
  denied: (path) => `${path} は秘密の情報を含むことがあるため、開きません`,
  noPermission: (path) => `${path} を読む権限がありません`,
  unreadable: (path, errno) => `${path} を読めません（${errno}）`,
  binary: (path, kind, bytes) =>
    `${path} はバイナリーなので、内容は表示しません（${kind === '' ? '' : `${kind}、`}${size(bytes)}）。詳しくは get_file_info で調べられます`,
  ambiguous: (path, names) =>
    `${path} にあてはまる名前が複数あります: ${names.join('、')}。正確な名前を指定してください`,
  argument: (name, kind) => `${name} は${wanted[kind]}で指定してください`,
  noSuchLine: (path, line, total) => `${path} は ${total} 行です。${line} 行目はありません`,
  lineOutOfReach: (path, line, seen) =>
    `${path} の ${line} 行目は遠すぎて届きません（${seen} 行まで調べました）`,
  empty: (path) => `${path} は空です`,
  storedAs: (name) => `実際の名前は ${name}`,
  mark: (kind) =>
    ({
      link: 'リンク、開けません',
      shut: '開けません',
      fifo: 'パイプ',
      socket: 'ソケット',
      device: 'デバイス',
    })[kind],
  listed,
  nextPage: (offset) => `続きは list_dir の offset ${offset} で`,
  read,
  cutHere: (bytes) => `…［${bytes} バイトの行、以下省略］`,
  details: ({ path, type, kind, text, bytes, modified }) => {
    if (type === 'directory') return `${path} はフォルダーです。更新は ${modified}`;
    if (type !== 'file') return `${path} は${special[type]}です。更新は ${modified}`;
    const what = text === '' ? `ファイル${kind === '' ? '' : `（${kind}）`}` : `テキストファイル（${text}）`;
    return `${path} は ${size(bytes)} の${what}です。更新は ${modified}`;
  },
  found: ({ pattern, path, shown, more, partial, searched }) => {
    const where = path === '.' ? '' : `${path} の中に `;
    const head =
      shown === 0
        ? `${where}${pattern} にあてはまる名前はありません`
        : `${where}${pattern} は ${shown} 件見つかりました`;
    const limit = partial ? `。調べたのは一部（${searched} 件）だけです` : '';
    return `${head}${more ? '。ほかにもあるので、条件を絞ってください' : ''}${limit}`;
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
  const parts = [
    `フォルダー ${directories}`,
    `ファイル ${files}`,
    ...(others > 0 ? [`その他 ${others}`] : []),
  ];
  const range = last === 0 ? '表示するものはありません' : `${first}〜${last} 件目です`;
  const unseen = hidden > 0 ? `。隠しファイル ${hidden} 件は除きます` : '';
  return `${path} には ${total} 件${uncounted ? '以上' : ''}あります（${parts.join('、')}）。${range}${unseen}`;
}

function read(facts: Reading): string {
  const { path, first, last, total, seen, encoding, newline, truncated, cutLines, changed } = facts;
  const of = total === undefined ? `${seen} 行以上` : `全 ${total} 行`;
  const notes = [
    ...(truncated ? [`途中までです。続きは read_file_lines の ${last + 1} 行目から`] : []),
    ...(cutLines > 0 ? [`長い行 ${cutLines} 行は省略しました`] : []),
    ...(changed ? ['読む間に変更されました'] : []),
  ];
  const kind = newline === '' ? encoding : `${encoding}、${newline}`;
  return [`${path} の ${first}〜${last} 行目（${of}、${kind}）`, ...notes].join('。');
}

function size(bytes: number): string {
  return sizeInWords(bytes, ' バイト');
}
