import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { it } from 'node:test';
import { startCloud } from '../cloud/cloud.ts';
import { textOf } from '../cloud/message.ts';
import { proves } from '../promises.ts';
import { ESCAPES } from '../unit/servers/calculator/escapes.ts';
import { startAppliance } from './appliance.ts';
import { descendants, environmentOf } from './processes.ts';

const FINE: Record<string, number> = { '2+3*4': 14, 'sqrt(2)^2': 2, 'max(1,2,3)': 3 };

it('what is no arithmetic is refused, runs nothing and shows nothing of the environment', async () => {
  proves('calculator-no-code');
  await using cloud = await startCloud();
  await using appliance = startAppliance({ cloud });
  await cloud.ready();
  const { pid } = appliance.process('servers/calculator.js');
  for (const expression of ESCAPES) {
    const result = await cloud.call('calculate', { expression });
    const text = textOf(result);
    assert.equal(result.isError, true, `${expression} gave ${text}`);
    const { status, code, message } = JSON.parse(text);
    assert.equal(status, 'error');
    assert.match(code, /^CALC_(?:SYNTAX|UNKNOWN_NAME|UNSUPPORTED)$/, expression);
    assert.doesNotMatch(message, /\n|\bat .*:\d+/, 'one sentence, no stack trace');
    assert.equal(text.includes(appliance.home.folder), false);
  }
  for (const [expression, value] of Object.entries(FINE)) {
    const result = await cloud.call('calculate', { expression });
    assert.equal(JSON.parse(textOf(result)).value, value, expression);
  }
  assert.equal(appliance.process('servers/calculator.js').pid, pid);
  assert.deepEqual(descendants(pid), []);
  assert.equal(existsSync('/tmp/pwn'), false);
  const names = environmentOf(pid).map((entry) => entry.split('=')[0]);
  assert.deepEqual(
    names.filter((name) => !['PATH', 'HOME', 'LANG', 'TZ'].includes(`${name}`)),
    [],
  );
});
