import type { BenchEvent } from './bench-event.ts';

type Words = { readonly [E in BenchEvent['event']]: (event: Extract<BenchEvent, { event: E }>) => string };

/** Each event as one line: Japanese first, English beside. An empty line is not shown. */
const WORDS: Words = {
  serving: ({ endpoint }) =>
    `ベンチ用クラウドを開始 / bench cloud is up: ${endpoint.replace(/token=.*/, 'token=***')}`,
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
  recovered: ({ from, ms }) => `復旧 / recovered from ${from} in ${ms.toFixed(0)} ms`,
  killed: ({ server, pid }) => `${server} を強制終了 / ${server} killed (pid ${pid})`,
  stopped: ({ code, ms }) => `停止 / stopped with exit code ${code} in ${ms.toFixed(0)} ms`,
  verdict: ({ pass, why }) => (pass ? 'PASS' : `FAIL: ${why ?? ''}`),
};

export function inWords<E extends BenchEvent>(event: E): string {
  const words = WORDS[event.event] as (event: E) => string;
  return words(event);
}
