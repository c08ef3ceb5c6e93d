import { simulate } from '../../../terminal/simulated.ts';
import { FakeClock } from '../../fake-clock.ts';

/** A terminal that was greeted, on a line and a clock that a test moves. */
export async function linked(options: Partial<Parameters<typeof simulate>[0]> = {}) {
  const clock = new FakeClock();
  const scene = simulate({ clock, ...options });
  scene.firmware.boot();
  await scene.plug();
  await clock.advance(50);
  await scene.run.greeted;
  return { clock, ...scene, scene };
}

/** What was told, in order. */
export const names = (told: readonly { readonly what: string }[]) => told.map(({ what }) => what).join(' ');
