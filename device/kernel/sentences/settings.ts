/** Settings. */
export const SETTINGS = {
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
} as const;
