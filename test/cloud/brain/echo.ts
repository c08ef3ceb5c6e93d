import { match, type Rule } from './rule.ts';

const ASKED = [
  /^「(?<text>.+)」(?:と|って)(?:言って|いって|繰り返して|話して)/,
  /^(?<text>.+?)(?:と|って)(?:言って|いって|繰り返して)(?:ください|下さい)?$/,
  /^(?:please )?(?:say|repeat|echo)(?: after me)?[: ]+["“]?(?<text>.+?)["”]?$/i,
];

/** 「こんにちは」と言って · say hello */
export const echo: Rule = {
  tool: 'echo',
  read: ({ text }) => match(text, ASKED),
  say: { ja: (text) => text, en: (text) => text },
};
