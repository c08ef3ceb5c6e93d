/** A reason or a proof and its Japanese; numbers and names have their places by `$1`. */
export type Translation = readonly [english: RegExp, japanese: string | ((...groups: string[]) => string)];

/** What stands before and behind another reason. */
export const VOICE_PREFIXES = [
  ['refused in words before the hello, ', 'クラウドが挨拶の前に拒否、'],
  ['ended before the hello: ', '挨拶の前に切断: '],
  ['the player ', '再生: '],
  ['recorder ', '録音: '],
] as const;

export const VOICE_SUFFIXES = [
  [', muted', '、マイクオフ'],
  [', microphone off', '、マイクオフ'],
] as const;

/** What the terminal, the sound card and the voice session give as their reason or their proof. */
export const VOICE_TRANSLATIONS: readonly Translation[] = [
  // The terminal
  [/^frame$/, '受信'],
  [
    /^the terminal speaks version (\d+) of the link \(firmware (.*)\)$/,
    'プロトコルの版が合わない: $1（ファームウェア $2）',
  ],
  [/^no answer to HELLO in (\d+) ms$/, '$1 ミリ秒以内に挨拶の返事なし'],
  [/^no answer for (\d+) ms$/, '$1 ミリ秒間、応答なし'],
  [/^no frame for (\d+) ms$/, '$1 ミリ秒間、端末から何も届かない'],
  [/^the port was closed by the system$/, 'ポートが閉じられた'],
  [/^(\d+) bytes were not taken$/, '$1 バイトを送れない'],
  [/^nothing was taken for (\d+) ms$/, '$1 ミリ秒間、何も送れない'],
  [/^(.+) is another device now$/, '$1 は別の機器になった'],
  [/^(.+): not open after (\d+) ms$/, '$1: $2 ミリ秒たっても開けない'],
  [/^(.+): not usable as a serial port$/, '$1: シリアルポートとして使えない'],
  [/^(.+): not a serial port$/, '$1: シリアルポートではない'],
  [/^(.+): no such port$/, '$1: ポートがない'],
  [/^(.+): another program has it open$/, '$1: 別のプログラムが使用中'],
  [/^(.+): permission denied$/, '$1: 権限がない'],
  // Sound
  [/^sound$/, '録音'],
  [/^opened$/, 'マイクを開いた'],
  [/^card opened$/, 'スピーカーを開いた'],
  [/^last sample played$/, '最後まで再生'],
  [/^not asked yet$/, '未確認'],
  [/^\d+ Hz (mono|stereo|with \d+ channels)$/, formatsIn],
  [/^\d+ Hz (mono|stereo|with \d+ channels), converted to \d+ Hz mono$/, formatsIn],
  [/^(\S+) opens and gives no sound$/, '$1 は開けるが、音が来ない'],
  [/^(.+) gives sound faster than time: no microphone$/, '$1 の音は実時間より速く、マイクではない'],
  [
    /^(.+) gives no sound at (.+?) \((.+)\)$/,
    (_all, card, formats, reason) => `${card} はどの形式でも音が来ない: ${formatsIn(formats)}（${reason}）`,
  ],
  [/^set audio\.microphone to (\S+)$/, 'audio.microphone を $1 にしてください'],
  [/^use another microphone$/, '別のマイクを使ってください'],
  [/^none of the cards here may be used$/, 'この機器のサウンドカードを使う権限がない'],
  [/^no sound for (\d+) ms$/, '$1 ミリ秒間、音が来ない'],
  [/^exited (\d+): (.+)$/, '終了コード $1 で終了（$2）'],
  [/^killed by (\w+): (.+)$/, '$1 で終了（$2）'],
  [
    /^.*rate is not accurate \(requested = (\d+)Hz, got = (\d+)Hz\).*$/,
    '$1 Hz で再生できない（カードは $2 Hz）',
  ],
  [/^the card took no sound for (\d+) s$/, '$1 秒間、サウンドカードが音を受け取らない'],
  [/^the card did not play to the end in time$/, '時間内に再生が終わらない'],
  [/^the last player does not end$/, '前の再生が終わらない'],
  [/^the speaker was not free for a proof$/, 'スピーカーが空かず、確認できない'],
  // Speech and wake word
  [/^speech detection$/, '発話検出'],
  [/^sound heard$/, '音を受信'],
  [/^wake word (.+), own model$/, 'ウェイクワード $1（自作モデル）'],
  [/^wake word (.+), (.+), non-commercial$/, 'ウェイクワード $1（$2、非商用）'],
  [/^wake word (.+)$/, 'ウェイクワード $1'],
  [
    /^no wake word (.+): audio\.wake_folder is not set, and ready-made are (.+)$/,
    'ウェイクワード $1 がない: 用意されているのは $2。自作モデルには audio.wake_folder の設定が必要',
  ],
  [
    /^no wake word (.+): there is no (.+) in (.+), and ready-made are (.+)$/,
    'ウェイクワード $1 がない: $3 に $2 がなく、用意されているのは $4',
  ],
  [/^the package of the models is not installed: (.*)$/, 'モデルのパッケージが入っていない（$1）'],
  [
    /^onnxruntime-node cannot be loaded on this machine: (.*)$/,
    'この機器では onnxruntime-node を読み込めない（$1）',
  ],
  [/^.+: expected a model file, got no such file \((.+)\)$/, 'モデルのファイルがない: $1'],
  [/^.+: expected (.+), got (.+) \((.+)\)$/, 'モデルとして使えない: $3（期待: $1、実際: $2）'],
  // The voice session
  [/^code (.+)$/, 'コード $1'],
  [/^waiting for the console$/, 'コンソールでの登録待ち'],
  [/^voice is not set up$/, '未設定'],
  [/^a turn goes on$/, '会話中'],
  [/^the question was not answered$/, '質問に答えがありませんでした'],
  [/^not registered yet$/, '未登録'],
  [/^registering$/, '登録中'],
  [/^the registration server reports an error$/, '登録サーバーがエラーを返した'],
  [/^expected an answer within (\d+) ms, got none$/, '$1 ミリ秒以内に返事なし'],
  [/^expected at most (\d+) bytes, got more$/, '返事が $1 バイトを超える'],
  [
    /^expected an address that begins with https:\/\/ or http:\/\/$/,
    'https:// か http:// のアドレスではない',
  ],
  [/^expected HTTP, got (.+)$/, 'HTTP ではない応答（$1）'],
  [/^expected HTTP 200, got (\d+)$/, 'HTTP $1 の応答'],
  [/^expected a JSON object, got something else$/, '返事が JSON ではない'],
  [/^expected websocket in the answer, got none$/, '返事に websocket がない'],
  [/^expected websocket\.url to be a ws:\/\/ or wss:\/\/ address$/, '返事の websocket.url が正しくない'],
  [/^expected websocket\.token to be a text of printable ASCII$/, '返事の websocket.token が正しくない'],
  [/^expected a token of printable ASCII, got other characters$/, 'トークンに使えない文字がある'],
  [/^expected a hello within (\d+) ms, got none$/, '$1 ミリ秒以内にクラウドの挨拶なし'],
  [/^nothing said for (\d+) ms$/, '$1 ミリ秒間、クラウドから何も届かない'],
  [/^the last exchange failed$/, '直前の会話に失敗'],
  [/^hello answered$/, '挨拶の返事'],
  [/^(.+) cannot be read: (.+)$/, '$1 を読めない（$2）'],
  [/^(.+) cannot be written: (.+)$/, '$1 に書けない（$2）'],
  [/^idle$/, '待機中'],
  [/^connecting$/, '接続中'],
  [/^listening$/, '聞いています'],
  [/^thinking$/, '考え中'],
  [/^speaking$/, '話しています'],
  [/^guard$/, '答えた直後'],
];

/** `48000 Hz stereo, converted to 16000 Hz mono`, or a row of formats. */
function formatsIn(text: string): string {
  return text
    .replace(/with (\d+) channels/g, '$1 チャンネル')
    .replaceAll('mono', 'モノラル')
    .replaceAll('stereo', 'ステレオ')
    .replace(/, converted to (.+)$/, 'を $1に変換')
    .replaceAll(', ', '、');
}
