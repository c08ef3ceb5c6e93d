import type { DeviceParts } from './parts.ts';
import type { DeviceTool } from './tool.ts';

/** Brightness of the lights, under the names that boards of this family have; none where there are no lights. */
export function lightTools({ lights }: DeviceParts): DeviceTool[] {
  if (!lights) return [];
  return [
    {
      name: 'self.led_strip.set_brightness',
      description: 'Sets the brightness of the lights of this device, 0 (off) to 100.',
      properties: {
        brightness: { type: 'integer', description: 'The new brightness', minimum: 0, maximum: 100 },
      },
      call: async ({ brightness }) => {
        await lights.set(Number(brightness));
        return true;
      },
    },
    {
      name: 'self.led_strip.get_brightness',
      description: 'Tells the brightness of the lights of this device, 0 to 100.',
      properties: {},
      call: () => lights.get(),
    },
  ];
}
