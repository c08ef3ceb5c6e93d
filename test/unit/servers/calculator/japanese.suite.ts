import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calculate } from '../../../../servers/calculator/calculate.ts';
import { expectValues } from './answers.ts';

test('Full-width and Japanese forms are read as plain ones', () => {
  expectValues([
    ['１００４×３２８', 329312],
    ['１，０００，０００÷４', 250000],
    ['１２．５％　of ８０', 10],
    ['（１＋２）＊３', 9],
    ['5−3', 2],
    ['５ー３', 2],
    ['max(1、2、3)', 3],
    ['「2+3」', 5],
    ['①+②', 3],
    ['5²', 25],
    ['2³', 8],
    ['10⁻³', 0.001],
    ['½+¼', 0.75],
    ['3½', 3.5],
    ['√16', 4],
    ['∛27', 3],
    ['3≠3', false],
    ['2×円周率', 6.28318530717959],
    ['10たす5かける2', 20],
    ['10割る4', 2.5],
    ['80の15%', 12],
    ['80の15パーセント', 12],
    ['2の10乗', 1024],
    ['3万5000', 35000],
    ['1億2000万', 120000000],
  ]);
});

test('The tail of a Japanese question is taken off', () => {
  expectValues([
    ['1004×328の計算結果は？', 329312],
    ['1004×328は？', 329312],
    ['1004×328を計算してください', 329312],
    ['1004×328はいくつですか？', 329312],
    ['1004×328の答え', 329312],
    ['1004×328＝？', 329312],
  ]);
});

test('Japanese units are known, also in half-width kana and as single signs', () => {
  expectValues([
    ['5キロメートル to マイル', '3.10685596118667 マイル'],
    ['5ｷﾛﾒｰﾄﾙ to m', '5000 m'],
    ['５㌔㍍ to m', '5000 m'],
    ['100グラム to kg', '0.1 kg'],
    ['20℃ to °F', '68 °F'],
    ['1坪 to ㎡', '3.30578512396694 m^2'],
    ['1升 to 合', '10 合'],
    ['1時間30分 to 分', '90 分'],
  ]);
});

test('Errors are Japanese sentences for a Japanese device', () => {
  const answer = calculate('1/0', { tongue: 'ja' });
  assert.deepEqual(answer, {
    status: 'error',
    code: 'CALC_DOMAIN',
    message: '0 で割ることはできません。',
    position: 1,
  });
  const unknown = calculate('sqr(2)', { tongue: 'ja' });
  assert.equal(
    unknown.status === 'error' && unknown.message,
    '「sqr」という名前はありませんが、「sqrt」のことですか。',
  );
});
