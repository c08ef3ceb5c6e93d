/** Every stable code that a person can meet, with its sentence in Japanese and English: cause first, then what to do. */
export const SENTENCES = {
  // The line to the cloud
  ENDPOINT_MISSING: {
    ja: '接続先が設定されていません。環境変数 MCP_ENDPOINT か、aivoice run では appliance.toml の endpoint.url に書いてください。',
    en: 'No endpoint is set. Set the variable MCP_ENDPOINT; for aivoice run, endpoint.url in appliance.toml does too.',
  },
  ENDPOINT_INVALID: {
    ja: '接続先のアドレスが正しくありません。wss:// で始まるアドレスを書いてください。',
    en: 'The endpoint is not an address. Write one that begins with wss://.',
  },
  NET_NAME: {
    ja: 'クラウドの名前を解決できません。ネットワークと DNS を確かめてください。',
    en: 'The name of the cloud cannot be resolved. Check the network and its DNS.',
  },
  NET_DOWN: {
    ja: 'クラウドに届きません。ネットワークを確かめてください。接続は自動で戻ります。質問はもう一度してください。',
    en: 'The cloud cannot be reached. Check the network. The line comes back by itself; a question has to be asked again.',
  },
  TLS: {
    ja: 'クラウドの証明書を確認できません。接続先と CA ファイルを確かめてください。',
    en: "The cloud's certificate cannot be verified. Check the endpoint and the CA file.",
  },
  CLOCK: {
    ja: 'この機器の時計が合っていません。時刻の設定（NTP）を確かめてください。',
    en: 'The clock of this machine is wrong. Check its time setting (NTP).',
  },
  KEY_REFUSED: {
    ja: 'クラウドが鍵を拒否しました。コンソールで新しい接続先を作り、設定してください。',
    en: 'The cloud refused the key. Make a new endpoint in the console and set it.',
  },
  KEY_EXPIRED: {
    ja: '接続先の鍵の期限が切れています。コンソールで新しい接続先を作り、設定してください。',
    en: 'The key of the endpoint has expired. Make a new endpoint in the console and set it.',
  },
  REPLACED: {
    ja: '別のプログラムが同じ接続先を使っています。どちらかを止めてください。',
    en: 'Another program uses this endpoint. Stop one of the two.',
  },
  CLOUD_4004: {
    ja: 'クラウドが接続を閉じました（4004）。自動で再接続します。',
    en: 'The cloud closed the line (4004). Reconnecting by itself.',
  },
  CLOUD_CLOSED: {
    ja: 'クラウドが接続を閉じました。自動で再接続します。',
    en: 'The cloud closed the line. Reconnecting by itself.',
  },
  CLOUD_HTTP: {
    ja: 'クラウドが WebSocket 以外の応答を返しました。接続先を確かめてください。',
    en: 'The cloud answered with something other than a WebSocket. Check the endpoint.',
  },
  // Servers
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
  // Settings
  CONFIG_OK: { ja: '設定に問題はありません。', en: 'The settings are in order.' },
  CONFIG_MISSING: { ja: '設定ファイルがありません。', en: 'The settings file does not exist.' },
  CONFIG_UNREADABLE: { ja: '設定ファイルを読めません。', en: 'The settings file cannot be read.' },
  CONFIG_EMPTY: { ja: '設定ファイルが空です。', en: 'The settings file is empty.' },
  CONFIG_ENCODING: { ja: '設定ファイルが UTF-8 ではありません。', en: 'The settings file is not UTF-8.' },
  CONFIG_SYNTAX: {
    ja: '設定ファイルの書き方に誤りがあります。',
    en: 'The settings file has a slip of syntax.',
  },
  CONFIG_INVALID: { ja: '設定の値が正しくありません。', en: 'A setting has a wrong value.' },
  CONFIG_UNKNOWN_KEY: { ja: '知らない設定項目です。', en: 'There is no such setting.' },
  CONFIG_VARIABLE: {
    ja: '設定で使っている環境変数がありません。',
    en: 'A variable that the settings use is not set.',
  },
  CONFIG_OPEN: {
    ja: '鍵が入った設定ファイルを他の利用者が読めます。chmod 600 にしてください。',
    en: 'Others can read the settings file, which holds a key. Set chmod 600.',
  },
  CONFIG_PORT_NAME: {
    ja: 'この名前は、次の起動で別の機器を指すことがあります。/dev/serial/by-id/ の下の名前を使ってください。',
    en: 'This name may be another device after the next start. Use one below /dev/serial/by-id/.',
  },
  // The terminal on the serial line
  TERMINAL_MISSING: {
    ja: '端末のシリアルポートがありません。ケーブルと terminal.port を確かめてください。自動で開き直します。',
    en: 'The serial port of the terminal is not there. Check its cable and terminal.port; it is opened again by itself.',
  },
  TERMINAL_BUSY: {
    ja: '別のプログラムが端末のシリアルポートを使っています。そのプログラムを止めてください。',
    en: 'Another program uses the serial port of the terminal. Stop that program.',
  },
  TERMINAL_DENIED: {
    ja: '端末のシリアルポートを開く権限がありません。利用者を dialout グループに入れてください。',
    en: 'The serial port of the terminal may not be opened. Add the user to the group dialout.',
  },
  TERMINAL_UNUSABLE: {
    ja: '端末のポートがシリアルポートとして使えません。terminal.port を確かめてください。',
    en: 'The port of the terminal is no serial port. Check terminal.port.',
  },
  TERMINAL_SILENT: {
    ja: '端末が応答しません。端末の電源とケーブルを確かめてください。',
    en: 'The terminal does not answer. Check its power and its cable.',
  },
  TERMINAL_LOST: {
    ja: '端末のケーブルが抜けました。差し直すと自動で戻ります。',
    en: 'The terminal was unplugged. Plug it in again; it comes back by itself.',
  },
  TERMINAL_VERSION: {
    ja: '端末のファームウェアがこの機器と合いません。端末を更新してください。',
    en: 'The firmware of the terminal does not fit this appliance. Update the terminal.',
  },
  // Sound
  AUDIO_TOOLS: {
    ja: '録音・再生のプログラム（arecord、aplay）がありません。alsa-utils を入れてください。',
    en: 'The programs that record and play (arecord, aplay) are missing. Install alsa-utils.',
  },
  AUDIO_MISSING: {
    ja: 'サウンドカードが見つかりません。接続と設定の名前を確かめてください。自動で再試行します。',
    en: 'The sound card was not found. Check its cable and its name in the settings; it is tried again by itself.',
  },
  AUDIO_BUSY: {
    ja: 'サウンドカードを別のプログラムが使っています。そのプログラムを止めてください。自動で再試行します。',
    en: 'Another program uses the sound card. Stop that program; it is tried again by itself.',
  },
  AUDIO_DENIED: {
    ja: 'サウンドカードを使う権限がありません。利用者を audio グループに入れてください。',
    en: 'The sound card may not be used. Add the user to the group audio.',
  },
  AUDIO_FORMAT: {
    ja: 'サウンドカードが使える形式を受け付けません。別のマイクかスピーカーを使ってください。',
    en: 'The sound card accepts no format that can be used. Use another microphone or speaker.',
  },
  AUDIO_LOST: {
    ja: '録音または再生が止まりました。自動で再開します。',
    en: 'Recording or playing stopped. It is started again by itself.',
  },
  AUDIO_STALLED: {
    ja: 'サウンドカードから音が来なくなりました。自動で再開します。',
    en: 'No more sound comes from the card. It is started again by itself.',
  },
  AUDIO_PACKET: { ja: '音声データが壊れています。', en: 'A packet of sound is damaged.' },
  AUDIO_MODEL: {
    ja: '音声検出またはウェイクワードのモデルを読み込めません。設定の audio を確かめてください。',
    en: 'The model for speech or wake word cannot be loaded. Check audio in the settings.',
  },
  MUTED: {
    ja: 'マイクはオフです。端末のスイッチを戻すと聞き取れます。',
    en: 'The microphone is off. Set the switch of the terminal back to be heard.',
  },
  // The voice session
  VOICE_OFF: {
    ja: '音声は設定されていません。appliance.toml の voice.activation_url か voice.url を書いてください。',
    en: 'Voice is not set up. Write voice.activation_url or voice.url in appliance.toml.',
  },
  VOICE_CODE: {
    ja: '登録待ちです。この機器のコードを、クラウドのコンソールに入力してください。',
    en: 'Waiting to be registered. In the console of the cloud, enter the code of this appliance.',
  },
  VOICE_REGISTERING: {
    ja: '音声クラウドに登録しています。少し待ってからもう一度お試しください。',
    en: 'Registering at the voice cloud. Try again in a moment.',
  },
  VOICE_REFUSED: {
    ja: '音声クラウドがこの機器を拒否しました。登録し直すか voice.token を確かめてください。',
    en: 'The voice cloud refused this appliance. Register it again or check voice.token.',
  },
  VOICE_NOT_REGISTERED: {
    ja: '登録サーバーがこの機器の登録を拒否しました。voice.activation_url を確かめてください。',
    en: 'The registration server refused to register this appliance. Check voice.activation_url.',
  },
  VOICE_NO_HELLO: {
    ja: '音声クラウドが接続の合図（hello）に応答しません。もう一度話しかけてください。',
    en: 'The voice cloud does not answer the hello. Speak to it again.',
  },
  VOICE_NO_WEBSOCKET: {
    ja: '音声クラウドが WebSocket の接続先を返しません。サーバーの設定を確かめてください。',
    en: 'The voice cloud names no WebSocket address. Check the settings of the server.',
  },
  VOICE_SILENT: {
    ja: '音声クラウドの返事が途絶えました。もう一度話しかけてください。',
    en: 'The voice cloud stopped answering. Speak to it again.',
  },
  VOICE_CLOSED: {
    ja: '音声クラウドが会話を閉じました。もう一度話しかけてください。',
    en: 'The voice cloud closed the conversation. Speak to it again.',
  },
  VOICE_ANSWER: {
    ja: '登録サーバーの返事を読めません。voice.activation_url を確かめてください。',
    en: 'The answer of the registration server cannot be read. Check voice.activation_url.',
  },
  VOICE_BUSY: {
    ja: 'いま会話中です。終わってからもう一度お試しください。',
    en: 'A conversation is going on. Try again when it is over.',
  },
  // The appliance and its command line
  PLACE_UNUSABLE: {
    ja: '必要なフォルダーを使えません。場所と権限を確かめてください。',
    en: 'A folder that the appliance needs cannot be used. Check its place and its permissions.',
  },
  NOT_RUNNING: {
    ja: 'アプライアンスが動いていません。aivoice run で起動してください。',
    en: 'The appliance is not running. Start it with: aivoice run',
  },
  CONTROL_BUSY: {
    ja: 'アプライアンスへの接続が多すぎます。使っていない aivoice コマンドを終了してください。',
    en: 'Too many commands are connected to the appliance. End those that you do not need.',
  },
  CONTROL_DENIED: {
    ja: 'アプライアンスは別の利用者が動かしています。その利用者か sudo で実行してください。',
    en: 'The appliance is run by another user. Run this as that user, or with sudo.',
  },
  CONTROL_SILENT: {
    ja: 'アプライアンスが応答しません。ログを確かめるか、再起動してください。',
    en: 'The appliance does not answer. See its log, or start it again.',
  },
  ALREADY_RUNNING: { ja: 'アプライアンスはすでに動いています。', en: 'The appliance is already running.' },
  USAGE: { ja: 'コマンドの使い方が違います。', en: 'The command line is wrong.' },
  PART_UNKNOWN: { ja: 'その名前の部品はありません。', en: 'There is no part of that name.' },
  PART_FAILING: {
    ja: 'アプライアンスの部品が何度も終了しています。ログを確かめてください。',
    en: 'A part of the appliance keeps ending. Check the log.',
  },
  PART_TIMEOUT: {
    ja: 'アプライアンスの部品が時間内に起動しません。自動で再試行します。',
    en: 'A part of the appliance does not start in time. It is tried again.',
  },
  STOPPED: { ja: '停止しました。', en: 'Stopped.' },
  INTERNAL: {
    ja: '内部の不具合です。ログを添えてお知らせください。',
    en: 'An internal fault. Please report it with the log.',
  },
} as const satisfies Record<string, { ja: string; en: string }>;

export type Code = keyof typeof SENTENCES;

/** `both` is Japanese first, English beside: what is used where the language of the reader is not known. */
export type Language = 'ja' | 'en' | 'both';

/** The sentence of a code in the reader's language. */
export function sentence(code: Code, language: Language): string {
  const { ja, en } = SENTENCES[code];
  return language === 'both' ? `${ja} / ${en}` : language === 'ja' ? ja : en;
}
