import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answer, type Hands, think } from '../../cloud/brain/brain.ts';
import type { CallResult } from '../../cloud/message.ts';

const CALCULATIONS = {
  '1004に328を掛けた結果は？': '1004*328',
  '１００４に３２８を掛けた結果は？': '1004*328',
  '千四に三百二十八を掛けた結果は？': '1004*328',
  '1004と328をかけるといくつ？': '1004*328',
  '1004 × 328': '1004*328',
  '12足す30は？': '12+30',
  '100から25を引いて3を掛けるといくつですか？': '(100-25)*3',
  '100を4で割るといくつになりますか？': '100/4',
  '100を7で割った余りは？': '100 % 7',
  '80に15%を足すと？': '80+15%',
  '200の15パーセントはいくらですか？': '15% of 200',
  '2の10乗は？': '2^10',
  '144の平方根は？': 'sqrt(144)',
  '3億2千万割る2は': '320000000/2',
  '(1+2)*3を計算してください': '(1+2)*3',
  'what is 1004 times 328?': '1004*328',
  'one thousand and four times three hundred twenty-eight': '1004*328',
  'What is 15 percent of 80?': '15% of 80',
  'two point five times 4': '2.5*4',
  'subtract 25 from 100': '100-25',
  'remainder of 100 divided by 7': '100 % 7',
  "what's the square root of 144?": 'sqrt(144)',
  'How much is 3*(4+5)?': '3*(4+5)',
};

const OTHERS: Record<string, [tool: string, args: Record<string, unknown>]> = {
  '体重65キロ、身長170センチのBMIは？': ['calculate_bmi', { weight_kg: 65, height_m: 1.7 }],
  'what is the BMI for 65 kg and 1.7 m?': ['calculate_bmi', { weight_kg: 65, height_m: 1.7 }],
  '今何時ですか？': ['get_time', {}],
  'what time is it in London?': ['get_time', { timezone: 'Europe/London' }],
  今日の大阪の天気を教えて: ['fetch_weather', { city: '大阪' }],
  'what is the weather in New York today?': ['fetch_weather', { city: 'New York' }],
  ファイルの一覧を見せて: ['list_dir', {}],
  'list the files in photos': ['list_dir', { path: 'photos' }],
  'メモ.txtを読んで': ['read_file', { path: 'メモ.txt' }],
  'read notes.txt': ['read_file', { path: 'notes.txt' }],
  '「こんにちは」と言って': ['echo', { text: 'こんにちは' }],
  'say hello world': ['echo', { text: 'hello world' }],
};

/** Hands with one tool, which always gives this result. */
function handsWith(tool: string, result: CallResult | Error): Hands {
  return {
    tools: [{ name: tool, inputSchema: {} }],
    call: async () => {
      if (result instanceof Error) throw result;
      return result;
    },
  };
}

function resultOf(text: string, isError = false): CallResult {
  return { content: [{ type: 'text', text }], isError };
}

describe('the brain of the bench cloud', () => {
  for (const [question, expression] of Object.entries(CALCULATIONS)) {
    it(`reads ${question} as ${expression}`, () => {
      assert.deepEqual(think(question)?.args, { expression });
      assert.equal(think(question)?.tool, 'calculate');
    });
  }

  for (const [question, [tool, args]] of Object.entries(OTHERS)) {
    it(`asks ${tool} for ${question}`, () => {
      const plan = think(question);
      assert.equal(plan?.tool, tool);
      assert.deepEqual({ ...plan.args }, args);
    });
  }

  it('says a result in the language of the question', async () => {
    const hands = handsWith(
      'calculate',
      resultOf('{"status":"success","value":329312,"reading":"1004 * 328"}'),
    );
    assert.equal((await answer('1004に328を掛けた結果は？', hands)).text, '計算結果は329312です');
    assert.equal((await answer('1004 times 328', hands)).text, 'The result is 329312.');
  });

  it("says a failing tool's own message", async () => {
    const failed = resultOf('{"status":"error","code":"CALC_DOMAIN","message":"Division by zero."}', true);
    const said = await answer('what is 5 divided by 0?', handsWith('calculate', failed));
    assert.deepEqual(said, { text: 'That did not work: Division by zero.', known: true, tool: 'calculate' });
  });

  it('says that a call was refused, and counts it as no answer', async () => {
    const said = await answer('2足す3は', handsWith('calculate', new Error('SERVER_DOWN')));
    assert.deepEqual(said, { text: 'うまくいきませんでした。SERVER_DOWN', known: false, tool: 'calculate' });
  });

  it('finds a tool that carries the name of its server', async () => {
    const said = await answer('2 plus 3', handsWith('calculator__calculate', resultOf('{"value":5}')));
    assert.equal(said.tool, 'calculator__calculate');
  });

  for (const question of ['今日はいい天気ですね', 'what is your name?', '328', '', 'こんにちは']) {
    it(`says politely that it does not know: "${question}"`, async () => {
      const said = await answer(question, handsWith('calculate', resultOf('{}')));
      assert.equal(said.known, false);
      assert.match(said.text, /^(?:すみません|Sorry)/);
    });
  }
});
