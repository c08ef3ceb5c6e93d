/** The terminal on the serial line. */
export const TERMINAL = {
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
} as const;
