import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { startCloud } from '../cloud/cloud.ts';
import { HttpWrapper } from '../cloud/http-wrapper.ts';
import { startAppliance, TASK_TOOLS } from './appliance.ts';
import { Home } from './home.ts';
import { testTool } from './prerequisite.ts';
import { runProgram } from './program.ts';

const FIXTURES = join(import.meta.dirname, '..', 'fixtures');
const suite = testTool('@modelcontextprotocol/conformance/dist/index.js');

/** What the suite calls by name. A suite that finds none of them could pass for the wrong reason. */
const TOOLS = [
  'test_simple_text',
  'test_image_content',
  'test_audio_content',
  'test_embedded_resource',
  'test_multiple_content_types',
  'test_tool_with_logging',
  'test_tool_with_progress',
  'test_error_handling',
  'test_sampling',
  'test_elicitation',
  'test_elicitation_sep1034_defaults',
  'test_elicitation_sep1330_enums',
  'test_reconnection',
  'json_schema_2020_12_tool',
];

/** What has to pass; the expected failures are in conformance.yml. */
const PASSING = [
  'server-initialize',
  'ping',
  'tools-list',
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-error',
  'tools-call-with-progress',
  'server-sse-multiple-streams',
  'resources-list',
  'dns-rebinding-protection',
];

it('a server behind the bridge passes the conformance suite in all that concerns tools', {
  skip: suite.skip,
}, async () => {
  using home = new Home();
  await using cloud = await startCloud();
  const server = join(FIXTURES, 'conformance-server.mjs');
  await using _bridge = startAppliance({ verb: 'bridge', args: [server], cloud });
  const tools = await cloud.tools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    [...TOOLS, ...TASK_TOOLS],
  );
  // The one scenario of JSON Schema is not in the active suite: a schema has to arrive with every key it was given.
  const { inputSchema } = tools.find(({ name }) => name === TOOLS.at(-1))!;
  assert.equal(inputSchema.$schema, 'https://json-schema.org/draft/2020-12/schema');
  assert.deepEqual(Object.keys(inputSchema).toSorted(), [
    '$defs',
    '$schema',
    'additionalProperties',
    'properties',
    'type',
  ]);

  await using wrapper = new HttpWrapper(cloud);
  await wrapper.listen();
  const baseline = join(FIXTURES, 'conformance.yml');
  const args = ['--suite', 'active', '--spec-version', '2025-11-25', '--expected-failures', baseline];
  const place = { cwd: home.work, env: home.env };
  const run = await runProgram([suite.path, 'server', '--url', wrapper.url, ...args], place, 60_000);
  assert.equal(run.code, 0, run.stdout + run.stderr);
  const passed = [...run.stdout.matchAll(/^✓ (\S+): [1-9]\d* passed, 0 failed$/gm)].map(([, name]) => name);
  assert.deepEqual(passed.toSorted(), PASSING.toSorted());
});
