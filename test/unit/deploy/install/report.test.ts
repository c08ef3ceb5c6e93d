import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_VERDICT, Report } from '../../../../deploy/install/report.ts';

function written(json: boolean, language: 'ja' | 'en' | 'both', tell: (report: Report) => void) {
  const out: string[] = [];
  const err: string[] = [];
  tell(new Report({ json, language, stdout: (text) => out.push(text), stderr: (text) => err.push(text) }));
  return { out: out.join(''), err: err.join('') };
}

test('the last line is the verdict, in words or as JSON', () => {
  const good = { ...NO_VERDICT, verdict: 'good', version: '1.1.0', silentMs: 1234 } as const;
  assert.equal(
    written(false, 'en', (report) => report.verdict(good)).out,
    '1.1.0: is in place and works (1.2 s)\n',
  );
  assert.match(written(false, 'ja', (report) => report.verdict(good)).out, /^1\.1\.0: 入りました/);
  assert.deepEqual(JSON.parse(written(true, 'en', (report) => report.verdict(good)).out), good);
});

test('why it is not good stands on stderr by its code, in one line whatever a file is called', () => {
  const refused = {
    ...NO_VERDICT,
    verdict: 'refused',
    code: 'RELEASE_UNSAFE',
    reason: 'a\u001b[2J\nb',
  } as const;
  const { err } = written(false, 'both', (report) => report.verdict(refused));
  assert.match(err, /^RELEASE_UNSAFE: リリース.+ \/ The release.+ \(a\?\[2J\?b\)\n$/);
});

test('a step is one line, and steers no terminal, whatever a file is called', () => {
  const name = '\u001b[31m\nfake: is in place\n\u009b2J.zst';
  const { out } = written(false, 'en', (report) => report.step('fetching', name));
  assert.equal(out, 'fetching: ?[31m?fake: is in place??2J.zst\n');
  const json = written(true, 'en', (report) => report.step('fetching', name));
  assert.equal(JSON.parse(json.out).detail, name);
});
