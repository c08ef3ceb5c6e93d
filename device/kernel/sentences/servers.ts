/** Servers. */
export const SERVERS = {
  SERVER_DOWN: {
    ja: 'このツールのサーバーは今動いていません。少し待ってからもう一度お試しください。',
    en: 'The server of this tool is not running now. Try again in a moment.',
  },
  SERVER_EXITED: {
    ja: 'サーバーが終了しました。自動で再起動します。',
    en: 'The server ended. It is restarted.',
  },
  SERVER_FAILING: {
    ja: 'サーバーが何度も終了しています。コマンドとログを確かめてください。',
    en: 'The server keeps ending. Check its command and its log.',
  },
  SERVER_NOT_FOUND: {
    ja: 'サーバーのコマンドが見つかりません。設定の command を確かめてください。',
    en: 'The command of the server was not found. Check its command in the settings.',
  },
  SERVER_NOT_STARTED: {
    ja: 'この機器のメモリー、プロセス、または開けるファイルが足りず、サーバーを起動できません。自動で再試行します。',
    en: 'The server could not be started: this machine is short of memory, processes or open files. It is tried again.',
  },
  SERVER_TIMEOUT: {
    ja: 'サーバーが起動の応答を返しません。コマンドとログを確かめてください。',
    en: 'The server does not answer its handshake. Check its command and its log.',
  },
  SERVER_NO_ANSWER: {
    ja: 'サーバーが応答しません。入れ替えます。',
    en: 'The server answers nothing. It is replaced.',
  },
  SERVER_REFUSED: {
    ja: 'サーバーが起動時の要求を拒否しました。ログを確かめてください。',
    en: 'The server refused its handshake. Check its log.',
  },
  REMOTE_DOWN: {
    ja: 'リモートサーバーに届きません。ネットワークと設定の url を確かめてください。自動で再接続します。',
    en: 'The remote server cannot be reached. Check the network and its url; reconnecting by itself.',
  },
  REMOTE_TLS: {
    ja: 'リモートサーバーの証明書を確認できません。設定の url と caFile を確かめてください。',
    en: "The remote server's certificate cannot be verified. Check its url and caFile.",
  },
  REMOTE_REFUSED: {
    ja: 'リモートサーバーが鍵を拒否しました。設定の headers を確かめてください。',
    en: 'The remote server refused the key. Check its headers in the settings.',
  },
  REMOTE_ANSWER: {
    ja: 'リモートサーバーの返事が MCP ではありません。設定の type と url を確かめてください。',
    en: 'What the remote server answers is not MCP. Check its type and url.',
  },
  REMOTE_REDIRECT: {
    ja: 'リモートサーバーが別のアドレスへ転送しています。転送先のアドレスを設定の url に書いてください。',
    en: 'The remote server redirects to another address. Write that address as its url.',
  },
  REMOTE_EXPIRED: {
    ja: 'リモートサーバーとの接続の期限が切れました。自動でつなぎ直します。',
    en: 'The session with the remote server has expired. A new one is opened by itself.',
  },
  REMOTE_ERROR: {
    ja: 'リモートサーバーがエラーを返しました。少し待ってからもう一度お試しください。',
    en: 'The remote server answered with an error. Try again in a moment.',
  },
  SERVERS_NONE: {
    ja: '動かせるサーバーがありません。設定の mcpServers を確かめてください。',
    en: 'No server is left to run. Check mcpServers in the settings.',
  },
  TOOL_UNKNOWN: { ja: 'その名前のツールはありません。', en: 'There is no tool of that name.' },
  TOOL_ERROR: { ja: 'ツールがエラーを返しました。', en: 'The tool reported an error.' },
  CALL_TIMEOUT: {
    ja: 'ツールが時間内に答えませんでした。',
    en: 'The tool did not answer in time.',
  },
  TOO_LARGE: { ja: 'メッセージが大きすぎます。', en: 'The message is too large.' },
  TASK_UNKNOWN: { ja: 'そのタスクはありません。', en: 'There is no such task.' },
  TASK_GONE: {
    ja: 'そのタスクの結果はもう残っていません。もう一度実行してください。',
    en: 'The result of this task is no longer kept. Run it again.',
  },
  TASK_FULL: {
    ja: '実行中のタスクが多すぎます。終わるのを待つか、一つ取り消してください。',
    en: 'Too many tasks are running. Wait for one to end, or cancel one.',
  },
} as const;
