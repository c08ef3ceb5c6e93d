import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startCloud } from '../cloud/cloud.ts';
import { textOf } from '../cloud/message.ts';
import { proves } from '../promises.ts';
import { startAppliance } from './appliance.ts';

const VALUES: Record<string, number> = {
  '22573.8*8%-1614.86': 191.044,
  '22573.8 * 8% - 1614.86': 191.044,
  '100/50%': 200,
  '200*15%': 30,
  '20+10%': 22,
  '80+15%': 92,
  '15% of 80': 12,
  '15%+1': 1.15,
  '10 mod 3': 1,
  '10 % 3': 1,
  '10%3': 1,
  '-7 % 3': 2,
  '10 % -3': -2,
  '10%-3': -2.9,
  '50%+50%': 1,
  '100+10%*2': 100.2,
  '-2^2': -4,
  '2^3^2': 512,
  '1004×328': 329312,
};

it('one rule tells percent from remainder, and each answer carries the reading that was used', async () => {
  proves('calculator-percent');
  await using cloud = await startCloud();
  await using _appliance = startAppliance({ cloud });
  for (const [expression, value] of Object.entries(VALUES)) {
    const result = await cloud.call('calculate', { expression });
    const answer = JSON.parse(textOf(result));
    assert.equal(answer.value, value, `${expression}: ${textOf(result)}`);
    assert.equal(typeof answer.reading, 'string');
    assert.deepEqual(result.structuredContent, answer);
  }
  const twice = JSON.parse(textOf(await cloud.call('calculate', { expression: '35%%' })));
  assert.equal(twice.status, 'error');
  assert.equal(typeof twice.position, 'number');
  const zero = JSON.parse(textOf(await cloud.call('calculate', { expression: '5 % 0' })));
  assert.equal(zero.code, 'CALC_DOMAIN');
});
