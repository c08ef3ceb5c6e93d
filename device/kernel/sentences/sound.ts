/** Sound. */
export const SOUND = {
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
} as const;
