import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'smol-toml';
import { DEFAULTS } from '../../device/config/defaults.ts';
import { loadConfig } from '../../device/config/load.ts';
import { parseSettings } from '../../device/config/schema.ts';
import { SENTENCES } from '../../device/kernel/codes.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { PROMISES } from '../promises.ts';
import { startBench } from './device/cli/bench.ts';
import { surroundings } from './device/config/surroundings.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const ENGLISH = 'README.md';
const JAPANESE = 'README.ja.md';

test('both READMEs have the same sections, and nothing left to fill in', () => {
  const [english, japanese] = [readRoot(ENGLISH), readRoot(JAPANESE)];
  assert.deepEqual(headingLevels(japanese), headingLevels(english));
  assert.deepEqual(placeholdersOf(english), []);
  assert.deepEqual(placeholdersOf(japanese), []);
});

test('the promises stand in README.md word for word, and all of them in README.ja.md', () => {
  assert.deepEqual(promisesOf(readRoot(ENGLISH), 'Promises'), Object.entries(PROMISES));
  const translated = promisesOf(readRoot(JAPANESE), '約束');
  assert.deepEqual(
    translated.map(([id]) => id),
    Object.keys(PROMISES),
  );
  const untranslated = translated.filter(([, sentence]) => !/\p{Script=Hiragana}/u.test(sentence));
  assert.deepEqual(untranslated, []);
});

for (const name of [ENGLISH, JAPANESE]) {
  test(`${name} names every code that a person can meet`, () => {
    const text = readRoot(name);
    const missing = Object.keys(SENTENCES).filter((code) => !text.includes(`\`${code}\``));
    assert.deepEqual(missing, []);
  });

  test(`${name} names the error codes that the built-in servers have, and no others`, () => {
    assert.deepEqual(serverCodesOf(readRoot(name), '`'), serverCodesOf(readServers(), "'"));
  });

  test(`${name} explains every verb, and its commands exist`, async () => {
    const text = readRoot(name);
    const verbs = await verbsOfHelp();
    const explained = verbs.filter((verb) => new RegExp(`^\\| \`${verb}\\b`, 'm').test(text));
    assert.deepEqual(explained, verbs);
    const scripts = Object.keys(packageJson.scripts);
    const unknown = [
      ...wordsAfter(text, /npm (?:-s )?run (?:-s )?([\w:-]+)/g).filter((word) => !scripts.includes(word)),
      ...wordsAfter(text, /npx aivoice ([a-z]+)/g).filter((word) => !verbs.includes(word)),
    ];
    assert.deepEqual(unknown, []);
  });

  test(`the appliance.toml of ${name} has only settings that exist, each with its default`, () => {
    const result = parseSettings(parse(blocksOf(readRoot(name), 'toml')));
    if ('issues' in result) assert.fail(JSON.stringify(result.issues));
    const { endpoint, ...others } = result.settings;
    assert.deepEqual({ ...others, endpoint: { ...endpoint, url: undefined } }, DEFAULTS);
  });

  test(`the appliance.toml of ${name} explains each setting of voice, sound and terminal`, () => {
    const shown = parse(blocksOf(readRoot(name), 'toml'));
    for (const table of ['voice', 'audio', 'terminal'] as const) {
      const keys = Object.keys(DEFAULTS[table]).map((key) =>
        key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      );
      assert.deepEqual(Object.keys(shown[table] as object), keys);
    }
  });

  test(`the settings files of ${name} load without a problem once an endpoint and a key are filled in`, async () => {
    const text = readRoot(name);
    using around = surroundings({ HOME_KEY: 'a key' });
    around.write('appliance.toml', blocksOf(text, 'toml').replace('wss://…/', 'wss://cloud.example/'));
    around.write('mcp_settings.json', blockList(text, 'jsonc')[0] ?? '');
    const config = await loadConfig({ environment: around.environment, verb: 'run' });
    assert.deepEqual(config.problems, []);
    assert.equal(config.files.length, 2);
    assert.equal(new URL(config.endpoint?.reveal() ?? '').host, 'cloud.example');
    assert.deepEqual(
      config.servers.map((server) => [server.name, server.builtin, server.disabled]),
      [
        ['calculator', true, false],
        ['files', true, false],
        ['home', false, false],
        ['later', false, true],
      ],
    );
  });
}

for (const name of ['README.md', 'README.ja.md']) {
  test(`the settings of slow tools in ${name} load without a problem`, async () => {
    using around = surroundings();
    around.write('mcp_settings.json', blockList(readRoot(name), 'jsonc')[1] ?? '');
    const { servers, problems } = await loadConfig({ environment: around.environment, verb: 'bridge' });
    assert.deepEqual(
      problems.filter(({ code }) => code !== 'ENDPOINT_MISSING'),
      [],
    );
    const tools = { lights: 'off', backup: 'always' };
    assert.deepEqual(servers[0]?.async, { mode: 'auto', waitMs: 1000, tools });
  });
}

function readRoot(name: string): string {
  return readFileSync(join(ROOT, name), 'utf8');
}

function readServers(): string {
  const files = globSync('servers/**/*.ts', { cwd: ROOT });
  return files.map(readRoot).join('\n');
}

function headingLevels(text: string): number[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '');
  return [...prose.matchAll(/^(#+) /gm)].map(([, marks = '']) => marks.length);
}

function placeholdersOf(text: string): string[] {
  return [...text.matchAll(/@[A-Z]+@/g)].map(([placeholder]) => placeholder);
}

/** The table of a section: id and sentence of each row. */
function promisesOf(text: string, heading: string): [id: string, sentence: string][] {
  const [, section = ''] = text.split(`\n## ${heading}\n`);
  const [table = ''] = section.split('\n## ');
  return [...table.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)].map(([, id = '', sentence = '']) => [
    id,
    sentence,
  ]);
}

/** Codes between these quotes, in order of the alphabet. */
function serverCodesOf(text: string, quote: string): string[] {
  const code = new RegExp(`${quote}((?:CALC|FILES|WEATHER|BMI|TIME_ZONE|ECHO)_[A-Z_]+)${quote}`, 'g');
  return [...new Set(wordsAfter(text, code))].sort();
}

function wordsAfter(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, word = '']) => word);
}

async function verbsOfHelp(): Promise<string[]> {
  await using bench = await startBench(undefined);
  const { out } = await bench.run('--help');
  const verbs = wordsAfter(out, /^ {2}([a-z]+)\b.* {2}/gm);
  assert.ok(verbs.includes('run'), out);
  return verbs;
}

/** All blocks of a language as one file: the READMEs show appliance.toml in two parts. */
function blocksOf(text: string, language: string): string {
  const content = blockList(text, language).join('\n');
  assert.notEqual(content, '', `expected a block of ${language}`);
  return content;
}

function blockList(text: string, language: string): string[] {
  const [, ...blocks] = text.split(`\n\`\`\`${language}\n`);
  return blocks.map((block) => block.split('\n```')[0] ?? '');
}
