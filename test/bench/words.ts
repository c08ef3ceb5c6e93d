import type { BenchEvent } from './bench-event.ts';

type Words = { readonly [E in BenchEvent['event']]: (event: Extract<BenchEvent, { event: E }>) => string };

/** Each event as one line: Japanese first, English beside. An empty line is not shown. */
const WORDS: Words = {
  serving: ({ endpoint, activation }) =>
    `ベンチ用クラウドを開始 / bench cloud is up: ${endpoint.replace(/token=.*/, 'token=***')}${
      activation === undefined ? '' : `, ${activation}`
    }`,
  started: ({ pid }) => `アプライアンスを起動 / appliance started (pid ${pid})`,
  step: ({ ja, en }) => `■ ${ja} / ${en}`,
  listening: () => '',
  deaf: () => '受け付けを停止 / the port refuses now',
  dialled: () => '',
  refused: ({ how }) => `接続を拒否 / dial refused: ${how}`,
  connected: ({ connection }) => `接続 ${connection} / connection ${connection} is open`,
  initialized: ({ server }) => `応答 / answered initialize: ${server}`,
  listed: ({ tools }) =>
    `ツール ${tools.length} 個 / ${tools.length} tools: ${tools.map(({ name }) => name).join(', ')}`,
  sent: ({ what }) => `→ ${what}`,
  answered: ({ what, ms }) => `← ${what} (${ms.toFixed(1)} ms)`,
  closed: ({ connection, code }) => `切断 ${connection} / connection ${connection} has ended (${code})`,
  complaint: ({ why }) => `！規約違反 / against the protocol: ${why}`,
  asked: ({ question }) => `質問 / question: ${question}`,
  said: ({ text, ms }) => `答え / answer: ${text} (${ms.toFixed(0)} ms)`,
  voice: ({ of }) => `音声 / voice: ${of.event}`,
  turn: ({ step, ms, text }) =>
    `${TURN[step]} (+${ms.toFixed(0)} ms)${text === undefined ? '' : `: ${text}`}`,
  interrupted: ({ ms }) => `停止 / silent ${ms.toFixed(0)} ms after the press`,
  soaked: ({ turns, ms, lost, xruns, growthKb }) =>
    `${turns} 往復 / ${turns} turns, ${ms.toFixed(0)} ms each; lost ${lost}, xruns ${xruns}, memory ${signed(growthKb)} KB`,
  recovered: ({ from, ms }) => `復旧 / recovered from ${from} in ${ms.toFixed(0)} ms`,
  killed: ({ server, pid }) => `${server} を強制終了 / ${server} killed (pid ${pid})`,
  stopped: ({ code, ms }) => `停止 / stopped with exit code ${code} in ${ms.toFixed(0)} ms`,
  verdict: ({ pass, why }) => (pass ? 'PASS' : `FAIL: ${why ?? ''}`),
};

const TURN = {
  pressed: 'ボタン / button pressed',
  lit: 'ライト「聞いています」 / light shows listening',
  announced: '聞き取り開始 / cloud knows that we listen',
  spoken: '質問 / question spoken',
  understood: '認識 / cloud understood',
  thinking: 'ライト「考え中」 / light shows thinking',
  tool: 'ツール / tool answered',
  answering: '応答開始 / answer begins',
  speaking: 'ライト「話しています」 / light shows speaking',
  sounding: '音が出た / first sound',
  silent: '最後の音 / last sound',
} as const;

export function inWords<E extends BenchEvent>(event: E): string {
  const words = WORDS[event.event] as (event: E) => string;
  return words(event);
}

function signed(number: number): string {
  return number < 0 ? `${number}` : `+${number}`;
}
