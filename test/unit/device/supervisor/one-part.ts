import type { Code } from '../../../../device/kernel/codes.ts';
import { Fault } from '../../../../device/kernel/fault.ts';
import { FakeService, type Stage, stage } from './fake-service.ts';

/** A scene with one server, which does at each start what `plan` says. */
export async function one(
  plan?: FakeService['plan'],
  options?: ConstructorParameters<typeof FakeService>[2],
) {
  let service!: FakeService;
  const scene = await stage((clock) => {
    service = new FakeService(clock, 'files', options);
    if (plan) service.plan = plan;
    return [service];
  });
  return { scene, service };
}

export function look(scene: Stage) {
  return scene.supervisor.parts()[0]!;
}

export const refuse = (code: Code, message: string) => async () => {
  throw new Fault(code, message);
};
