import type { Rule, Saying } from './rule.ts';

/** A task that still runs tells its facts in the place of a result. */
const isRunning = (status: unknown) => status === 'working';

/** 時間のかかる仕事を始めて · start the slow job */
export const startJob: Rule = {
  tool: 'start_slow_job',
  read: ({ text }) =>
    /^(?:please )?start (?:the|a) slow job$|時間のかかる(?:仕事|作業)を(?:始|はじ)めて/i.test(text)
      ? {}
      : undefined,
  say: {
    ja: (text, { status, alias }) => (isRunning(status) ? `始めました。番号は${alias}です` : text),
    en: (text, { status, alias }) => (isRunning(status) ? `It has begun, as ${alias}.` : text),
  },
};

/** So long an answer may keep somebody waiting; ms. */
const WAIT_MS = 5000;

/** 終わりましたか？ · is it finished? · is t2 done? Without a name the first task is meant. */
export const isFinished: Rule = {
  tool: 'async_get_task_result',
  read({ text }) {
    const found = /^is (?:it|the (?:slow )?job|(?<name>t\d+)) (?:finished|done|ready)(?: yet)?$/i.exec(text);
    if (found === null && !/^(?:もう)?(?:終わ|おわ)(?:った|りました)(?:か)?$/.test(text)) return undefined;
    return { taskId: found?.groups?.name?.toLowerCase() ?? 't1', wait_ms: WAIT_MS };
  },
  say: { ja: told('まだです', 'はい。'), en: told('Not yet.', 'Yes. ') },
};

function told(notYet: string, yes: string): Saying {
  return (text, { status }) => (isRunning(status) ? notYet : `${yes}${text}`);
}
