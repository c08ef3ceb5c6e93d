import type { Tongue } from '../language.ts';
import type { Tool } from '../stdio.ts';
import { failed, said } from './answer.ts';

/** Bodies there have been: below and above, a number was meant otherwise. */
const WEIGHT_KG = { least: 1, most: 700 };
const HEIGHT_M = { least: 0.3, most: 2.8 };

/** Upper bounds and names: WHO for English, the Japan Society for the Study of Obesity for Japanese. */
const CLASSES = [
  { below: 18.5, en: 'underweight', ja: '低体重' },
  { below: 25, en: 'normal weight', ja: '普通体重' },
  { below: 30, en: 'overweight', ja: '肥満（1度）' },
  { below: 35, en: 'obesity class I', ja: '肥満（2度）' },
  { below: 40, en: 'obesity class II', ja: '肥満（3度）' },
  { below: Number.POSITIVE_INFINITY, en: 'obesity class III', ja: '肥満（4度）' },
] as const;

/** Weight by height squared, to one digit. A height such as 165 can only be centimetres: taken so, and said. */
export function calculateBmi(tongue: Tongue): Tool {
  return {
    name: 'calculate_bmi',
    description:
      'Calculates the body mass index from weight in kilograms and height in metres (体重と身長から BMI を計算する).',
    inputSchema: {
      type: 'object',
      properties: {
        weight_kg: { type: 'number', description: 'Kilograms, for example 65' },
        height_m: { type: 'number', description: 'Metres, for example 1.65' },
      },
      required: ['weight_kg', 'height_m'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
    run({ weight_kg, height_m }) {
      const weight = numberOf(weight_kg);
      const given = numberOf(height_m);
      const inCentimetres = isWithin(given / 100, HEIGHT_M);
      const height = inCentimetres ? given / 100 : given;
      if (!isWithin(weight, WEIGHT_KG) || !isWithin(height, HEIGHT_M)) return refusal(tongue);
      const bmi = Math.round((weight / (height * height)) * 10) / 10;
      const { en, ja } = CLASSES.find(({ below }) => bmi < below) ?? CLASSES[5];
      const note = inCentimetres ? noteOf(given, tongue) : '';
      const text = tongue === 'ja' ? `BMI は ${bmi}、${ja}です。${note}` : `The BMI is ${bmi}, ${en}.${note}`;
      const facts = { bmi, category: en, category_ja: ja, weight_kg: weight, height_m: height };
      return said(text, inCentimetres ? { ...facts, height_taken_as_cm: given } : facts);
    },
  };
}

function noteOf(given: number, tongue: Tongue): string {
  return tongue === 'ja'
    ? `身長 ${given} はセンチメートルとみなしました。`
    : ` The height ${given} was taken as centimetres.`;
}

function refusal(tongue: Tongue) {
  const { least, most } = HEIGHT_M;
  return failed(
    'BMI_DOMAIN',
    tongue === 'ja'
      ? `体重は ${WEIGHT_KG.least}〜${WEIGHT_KG.most} キログラム、身長は ${least}〜${most} メートルの数で指定してください。`
      : `Give the weight as ${WEIGHT_KG.least} to ${WEIGHT_KG.most} kilograms and the height as ${least} to ${most} metres.`,
  );
}

/** Models also send numbers as text; anything else becomes NaN, which is in no range. */
function numberOf(given: unknown): number {
  if (typeof given === 'string' && given.trim() !== '') return Number(given.normalize('NFKC'));
  return typeof given === 'number' ? given : Number.NaN;
}

function isWithin(number: number, { least, most }: { least: number; most: number }): boolean {
  return number >= least && number <= most;
}
