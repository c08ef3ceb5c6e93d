import type { Rule } from './rule.ts';

const WEIGHT = /(?<value>\d+(?:\.\d+)?) ?(?:kg|kilo(?:gram)?s?|キロ(?:グラム)?)(?!メートル)/i;
const CENTIMETRES = /(?<value>\d+(?:\.\d+)?) ?(?:cm|centimet(?:re|er)s?|センチ)/i;
const METRES = /(?<value>\d+(?:\.\d+)?) ?(?:m\b|met(?:re|er)s?|メートル)/i;

/** 体重65キロ、身長170センチのBMIは？ · what is the BMI for 65 kg and 1.7 m? */
export const bmi: Rule = {
  tool: 'calculate_bmi',
  read({ text }) {
    if (!/bmi|体格指数/i.test(text)) return undefined;
    const weight = numberIn(text, WEIGHT);
    const height = numberIn(text, METRES) ?? centi(numberIn(text, CENTIMETRES));
    return weight === undefined || height === undefined ? undefined : { weight_kg: weight, height_m: height };
  },
  say: {
    ja: (text, { bmi: value, category_ja }) =>
      value === undefined ? text : `BMIは${value}、${category_ja}です`,
    en: (text, { bmi: value, category }) =>
      value === undefined ? text : `The BMI is ${value}, ${category}.`,
  },
};

function numberIn(text: string, pattern: RegExp): number | undefined {
  const value = pattern.exec(text)?.groups?.value;
  return value === undefined ? undefined : Number(value);
}

function centi(value: number | undefined): number | undefined {
  return value === undefined ? undefined : value / 100;
}
