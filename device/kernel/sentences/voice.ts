/** The voice session. */
export const VOICE = {
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
} as const;
