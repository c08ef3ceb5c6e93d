import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCounters } from '../../../bridge/call.ts';
import { KnownFolder } from '../../../bridge/known-folder.ts';
import { Router } from '../../../bridge/router.ts';
import { TaskStore } from '../../../bridge/tasks/store.ts';
import { DEFAULTS, type Settings } from '../../../device/config/defaults.ts';
import { Secret } from '../../../device/config/secrets.ts';
import type { ServerSettings } from '../../../device/config/server-settings.ts';
import { createLog } from '../../../device/kernel/log.ts';
import { type Declaration, declareServices, type Kit } from '../../../device/services.ts';
import { FakeClock } from '../fake-clock.ts';
import { surroundings } from './config/surroundings.ts';

const URL = 'wss://cloud.example/mcp/?token=CANARYtOk3n';
const SERVER: ServerSettings = {
  name: 'a',
  type: 'stdio',
  command: 'a',
  args: [],
  env: {},
  disabled: false,
  builtin: false,
};

interface Change {
  readonly settings?: { readonly [table in keyof Settings]?: object };
  readonly server?: Partial<ServerSettings>;
  readonly url?: string;
}

/** What the settings declare, with these changes to them. */
function declare({ settings = {}, server = {}, url = URL }: Change = {}) {
  using around = surroundings();
  const clock = new FakeClock();
  const counters = createCounters();
  const lines: string[] = [];
  const kit: Kit = {
    environment: { ...around.environment, cwd: '/tmp', variables: { HOME: '/tmp' } },
    clock,
    random: () => 0.5,
    log: createLog({ sink: (line) => lines.push(line), wall: () => clock.wall() }),
    router: new Router({ clock, counters, prefix: 'collide', holdMs: 2000 }),
    counters,
    known: new KnownFolder('/tmp/none', () => clock.wall()),
    tasks: new TaskStore(clock),
    stopping: new AbortController().signal,
    keepSecret: () => {},
  };
  const tables = Object.entries(settings).map(([table, values]) => {
    return [table, { ...(DEFAULTS[table as keyof Settings] as object), ...values }];
  });
  const config = {
    settings: { ...DEFAULTS, ...Object.fromEntries(tables) } as Settings,
    servers: [{ ...SERVER, ...server }],
    endpoint: new Secret(url),
    language: 'en' as const,
    files: [],
    problems: [],
  };
  return { declared: declareServices(config, kit), lines };
}

const keysOf = (declared: readonly Declaration[]) => declared.map(({ name, key }) => `${name} ${key}`);

test('a setting restarts what it is passed on to, and nothing else', () => {
  const before = keysOf(declare().declared);
  const cases: [Change, restarted: string][] = [
    [{}, ''],
    [{ settings: { bridge: { holdMs: 5, prefix: 'always' } } }, ''],
    [{ settings: { servers: { file: '/tmp/other.json' } } }, ''],
    [{ settings: { endpoint: { caFile: '/tmp/not-there.pem' } } }, ''],
    [{ server: { async: { mode: 'always' } } }, 'a'],
    [{ settings: { bridge: { listWaitMs: 5 } } }, 'cloud'],
    [{ settings: { bridge: { resultBudget: 'off' } } }, 'cloud'],
    [{ settings: { endpoint: { retryMaxMs: 5 } } }, 'cloud'],
    [{ settings: { endpoint: { closeMs: 5 } } }, 'cloud'],
    [{ url: `${URL}2` }, 'cloud'],
    [{ settings: { bridge: { callTimeoutMs: 5 } } }, 'a'],
    [{ settings: { servers: { stopEofMs: 5 } } }, 'a'],
    [{ settings: { restart: { firstMs: 5 } } }, 'a'],
    [{ server: { env: { A: 'b' } } }, 'a'],
  ];
  for (const [change, restarted] of cases) {
    const after = keysOf(declare(change).declared);
    const changed = after.filter((key) => !before.includes(key)).map((key) => key.split(' ')[0]);
    assert.equal(changed.join(), restarted, JSON.stringify(change));
  }
});

test('the log is given the endpoint without its key, and does not rely on anybody to hide it', () => {
  const { declared, lines } = declare();
  declared.at(-1)?.create();
  assert.match(lines.join(), /wss:\/\/cloud\.example\/mcp\/\?token=\*\*\*[0-9a-f]{4}/);
  assert.doesNotMatch(lines.join(), /CANARY/);
});
