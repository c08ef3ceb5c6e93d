import { Fault } from '../../../../../device/kernel/fault.ts';
import { createDeviceTools } from '../../../../../device/voice/tools/device-tools.ts';
import type { DeviceParts } from '../../../../../device/voice/tools/parts.ts';
import { FakeClock } from '../../../fake-clock.ts';

/** The parts of an appliance as plain values, with the tools of one session before them. */
export function deviceScene(
  changes: Partial<DeviceParts> = {},
  without: readonly ('reboot' | 'lights' | 'machine')[] = [],
) {
  const clock = new FakeClock();
  const state = { volume: 40, muted: false, brightness: 30, reboots: 0 };
  const whole: DeviceParts = {
    info: { name: 'bench', version: '1.2.3' },
    volume: {
      get: () => state.volume,
      set: (percent) => {
        state.volume = percent;
      },
    },
    microphone: {
      muted: () => state.muted,
      mute: (on) => {
        if (!on && state.muted) throw new Fault('MUTED', 'the switch CANARY is on');
        state.muted = on;
      },
    },
    lights: {
      get: () => state.brightness,
      set: (percent) => {
        state.brightness = percent;
      },
    },
    machine: () => ({ network: { type: 'ethernet' } }),
    systemInfo: () => ({ version: '1.2.3' }),
    reboot: () => {
      state.reboots++;
    },
    ...changes,
  };
  const kept = Object.entries(whole).filter(([name]) => !without.some((one) => one === name));
  const tools = createDeviceTools(Object.fromEntries(kept) as unknown as DeviceParts, clock);
  let lastId = 0;
  const ask = async (method: string, params?: object) => {
    const request = { jsonrpc: '2.0', id: lastId++, method, ...(params && { params }) };
    const answer = await tools.answer(request);
    if (answer?.id !== request.id) throw new Error(`answered ${JSON.stringify(answer)}`);
    return answer;
  };
  /** The text of a call, or its error as `code message`. */
  const call = async (name: string, args?: object): Promise<string> => {
    const answer = await ask('tools/call', { name, ...(args && { arguments: args }), serialNumber: null });
    if ('error' in answer) return `${answer.error.code} ${answer.error.message}`;
    const { content } = answer.result as { content: { text: string }[] };
    return content[0]?.text ?? '';
  };
  /** The names of a list, page by page. */
  const list = async (params: object = {}): Promise<string[][]> => {
    const pages: string[][] = [];
    for (let cursor: string | undefined; ; ) {
      const answer = await ask('tools/list', { ...params, ...(cursor !== undefined && { cursor }) });
      if ('error' in answer) throw new Error(answer.error.message);
      const page = answer.result as { tools: { name: string }[]; nextCursor?: string };
      pages.push(page.tools.map(({ name }) => name));
      cursor = page.nextCursor;
      if (cursor === undefined) return pages;
    }
  };
  return { clock, state, tools, ask, call, list };
}
