import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { inTurn, startModelService, words } from '../../cloud/model-service.ts';
import { builtIn } from '../built-in.ts';
import { Home } from '../home.ts';
import { leftoversWith } from '../processes.ts';
import { runProgram } from '../program.ts';
import { startWeatherService } from '../weather-service.ts';
import { SEED_ANSWERS, SEED_FILES, SEEDS, seedModel } from './seeds.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'host', 'main.ts');

function entry(server: string, env: Readonly<Record<string, string>> = {}) {
  return { command: process.execPath, args: [builtIn(server)], env };
}

describe('the host on the command line', () => {
  it("has the seeds' conversations with the real servers, and shows each call", async () => {
    using home = new Home();
    await using weather = await startWeatherService();
    await using service = await startModelService(seedModel);
    for (const [name, text] of Object.entries(SEED_FILES)) home.write(name, text);
    const mcpServers = {
      everyday: entry('everyday', weather.env),
      files: entry('files', { MCP_FILE_ROOT: home.work }),
    };
    home.write('.mcp.json', JSON.stringify({ mcpServers }));
    const args = [
      MAIN,
      '--base-url',
      service.baseUrl,
      '--model',
      'm',
      ...SEEDS.map(({ question }) => question),
    ];
    const { code, stdout, stderr } = await runProgram(args, { cwd: home.work, env: home.env }, 30_000);
    assert.equal(stdout, `${SEED_ANSWERS.join('\n')}\n`);
    const shown = stderr.split('\n').filter((line) => line.startsWith('→'));
    assert.equal(shown[0], '→ everyday__calculate_bmi {"height_m":1.65,"weight_kg":65}');
    assert.equal(shown.length, SEEDS.length);
    assert.equal(code, 0);
    assert.deepEqual(await leftoversWith(home.mark, 1000), []);
  });

  it('chats line by line, remembers, and takes its key from the environment alone', async () => {
    using home = new Home();
    await using service = await startModelService(({ messages }) => words(`${messages.length} lines`));
    home.write('.mcp.json', '{"mcpServers":{}}');
    const child = spawn(process.execPath, [MAIN, '--base-url', service.baseUrl, '--model', 'm', '--chat'], {
      cwd: home.work,
      env: { ...home.env, OPENAI_API_KEY: 'sk-of-the-test' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin.end('hello\n\nand now?\n');
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const [code] = await once(child, 'close');
    assert.deepEqual([code, said], [0, '2 lines\n4 lines\n']);
    assert.equal(service.requests[0]?.authorization, 'Bearer sk-of-the-test');
    // There is no flag for it: a command line is for all to read.
    const flagged = await runProgram([MAIN, '--model', 'm', '--api-key', 'sk', 'hello'], {
      cwd: home.work,
      env: home.env,
    });
    assert.equal(flagged.code, 64);
  });

  it('finds servers in three files; one that is wrong or does not start is told, the others are there', async () => {
    using home = new Home();
    await using service = await startModelService(({ tools = [] }) =>
      words(tools.map((tool) => tool.function.name).join(' ')),
    );
    const write = (path: string, mcpServers: object) => writeFileSync(path, JSON.stringify({ mcpServers }));
    const some = {
      ...entry('everyday'),
      tools: { include: ['echo', 'get_time'], rename: { echo: 'parrot' } },
    };
    write(join(home.work, '.mcp.json'), {
      sums: entry('calculator'),
      some,
      gone: { command: '/no/such/program' },
      keyed: { url: 'http://me:secret@127.0.0.1:9/mcp' },
    });
    write(join(home.work, 'mcp_settings.json'), {
      bad: { command: 5 },
      off: { ...entry('files'), disabled: true },
    });
    write(join(home.env.HOME ?? '', '.mcp.json'), { sums: entry('everyday'), more: entry('calculator') });
    const args = [MAIN, '--base-url', service.baseUrl, '--model', 'm', 'what can you do?'];
    const { code, stdout, stderr } = await runProgram(args, { cwd: home.work, env: home.env }, 30_000);
    assert.deepEqual([code, stdout], [0, 'sums__calculate some__get_time some__parrot more__calculate\n']);
    assert.match(stderr, /! gone: .*ENOENT/);
    assert.match(stderr, /! keyed: .*write them into headers/);
    assert.doesNotMatch(stderr, /secret/);
    assert.match(stderr, /mcpServers\.bad\.command.* expected text, got 5/);
    assert.deepEqual(await leftoversWith(home.mark, 1000), []);
  });

  it('ends with 1 where an answer is missing, and with 64 where it is used wrongly', async () => {
    using home = new Home();
    home.write('.mcp.json', '{"mcpServers":{}}');
    const refused = { status: 401, message: 'no key: sk-of-the-test\u001b[2J' };
    await using service = await startModelService(inTurn(refused, words('Yes.')));
    const place = { cwd: home.work, env: { ...home.env, OPENAI_API_KEY: 'sk-of-the-test' } };
    const known = ['--base-url', service.baseUrl, '--model', 'm'];
    const asked = await runProgram([MAIN, ...known, 'hello?', 'really?'], place);
    assert.deepEqual([asked.code, asked.stdout], [1, 'Yes.\n']);
    assert.match(asked.stderr, /! 401 no key: \*\*\*/);
    assert.doesNotMatch(asked.stderr, /sk-of-the-test/);
    assert.ok(!asked.stderr.includes('\u001b'));
    for (const args of [
      known,
      [...known, '--chat', 'word'],
      ['word'],
      ['--base-url', 'x', '--model', 'm', 'word'],
    ])
      assert.equal((await runProgram([MAIN, ...args], place)).code, 64, args.join(' '));
    assert.equal((await runProgram([MAIN, '--help'], place)).code, 0);
  });

  it('ends with its servers when it is interrupted in an answer', async () => {
    using home = new Home();
    home.write('.mcp.json', JSON.stringify({ mcpServers: { sums: entry('calculator') } }));
    await using service = await startModelService(inTurn({ deltas: [{ content: 'Well' }], end: 'silent' }));
    const child = spawn(process.execPath, [MAIN, '--base-url', service.baseUrl, '--model', 'm', 'hello?'], {
      cwd: home.work,
      env: home.env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    assert.equal(code, 130);
    assert.deepEqual(await leftoversWith(home.mark, 1000), []);
  });
});
