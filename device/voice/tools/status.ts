import type { DeviceParts } from './parts.ts';
import type { DeviceTool } from './tool.ts';

/** The state of the device as one JSON text, in the shape that clouds and models know (cloud protocol 4). */
export function statusTool(parts: DeviceParts): DeviceTool {
  return {
    name: 'self.get_device_status',
    description:
      'Tells the state of this device now, as JSON: volume of the speaker, whether the microphone is off, brightness of the lights, network. Call it to answer questions about the device, and before changing the volume or the lights by some amount.',
    properties: {},
    call: async () => {
      const { volume, microphone, lights } = parts;
      const machine = (await parts.machine?.()) ?? {};
      return JSON.stringify({
        audio_speaker: { volume: volume.get() },
        microphone: { muted: microphone.muted() },
        ...(lights && { led_strip: { brightness: lights.get() } }),
        ...machine,
      });
    },
  };
}
