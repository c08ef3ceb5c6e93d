/** The appliance and its command line. */
export const APPLIANCE = {
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
  DATA_NOT_KEPT: {
    ja: 'カードのデータ領域を使えません。設定は電源を切ると消えます。電源を入れ直し、直らなければカードを交換してください。',
    en: 'The data on the card cannot be used: settings are forgotten at power off. Turn it off and on again; if that does not help, replace the card.',
  },
  DATA_SKIPPED: {
    ja: 'カードのデータ領域を使わずに動いています。設定は電源を切ると消えます。cmdline.txt の aivoice.nodata を消すと元に戻ります。',
    en: 'This runs without the data on the card, and settings are forgotten at power off, until aivoice.nodata is taken out of cmdline.txt.',
  },
  DATA_ERRORS: {
    ja: 'カードの読み書きに失敗しています。電源を入れ直すと、直せるものは直します。続くようならカードを交換してください。',
    en: 'The card answers with errors. Turn it off and on again, which mends what can be mended; if it goes on, replace the card.',
  },
  STOPPED: { ja: '停止しました。', en: 'Stopped.' },
  INTERNAL: {
    ja: '内部の不具合です。ログを添えてお知らせください。',
    en: 'An internal fault. Please report it with the log.',
  },
} as const;
