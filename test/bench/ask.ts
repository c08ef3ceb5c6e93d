import type { Answer } from '../cloud/brain/brain.ts';
import { type Mind, rules } from '../cloud/brain/mind.ts';
import type { Cloud } from '../cloud/cloud.ts';
import type { CloudEvent } from '../cloud/events.ts';
import type { Trace } from './bench-event.ts';

/** From the start of the appliance to a list that holds what a question needs: children start on slow machines too. */
const READY_MS = 30_000;

/** Waits until the appliance lists this tool on a connection that is open. */
export async function untilListed(cloud: Cloud, tool: string, ms = READY_MS): Promise<void> {
  const lists = (event: CloudEvent) =>
    event.event === 'listed' &&
    cloud.connections[event.connection - 1]?.open === true &&
    event.tools.some(({ name }) => name === tool || name.endsWith(`__${tool}`));
  await cloud.expect(`the tool ${tool} in the list`, lists, ms);
}

/** Puts one typed question to the appliance, through the cloud's brain. */
export async function ask(
  cloud: Cloud,
  trace: Trace,
  question: string,
  mind: Mind = rules(),
): Promise<Answer> {
  trace({ event: 'asked', question });
  const asked = performance.now();
  const said = await mind(question, {
    tools: await cloud.tools(READY_MS),
    call: (tool, args) => cloud.call(tool, args, READY_MS),
  });
  const ms = performance.now() - asked;
  trace({ event: 'said', text: said.text, tool: said.tool ?? null, ms });
  return said;
}
