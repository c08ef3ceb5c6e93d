import type { DeviceParts } from './parts.ts';
import type { DeviceTool } from './tool.ts';

/** Volume of the speaker, and the mute of the microphone. */
export function soundTools({ volume, microphone }: DeviceParts): DeviceTool[] {
  return [
    {
      name: 'self.audio_speaker.set_volume',
      description:
        'Sets the volume of the speaker, 0 to 100. If the user says louder or softer without a number, call self.get_device_status first and change the present volume by 10.',
      properties: {
        volume: { type: 'integer', description: 'The new volume', minimum: 0, maximum: 100 },
      },
      call: async ({ volume: percent }) => {
        await volume.set(Number(percent));
        return true;
      },
    },
    {
      name: 'self.audio_speaker.get_volume',
      description: 'Tells the volume of the speaker, 0 to 100.',
      properties: {},
      call: () => volume.get(),
    },
    {
      name: 'self.microphone.set_mute',
      description:
        'Turns the microphone of this device off (true) or on (false). Once it is off the device hears nothing, so it cannot be turned on by voice: tell the user before turning it off that the button on the device turns it on again.',
      properties: { muted: { type: 'boolean', description: 'true: off; false: on' } },
      call: async ({ muted }) => {
        await microphone.mute(muted === true);
        return true;
      },
    },
  ];
}
