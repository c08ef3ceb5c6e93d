import { isDeepStrictEqual } from 'node:util';
import type { AudioVersion } from './audio-frame.ts';

export type Fields = Readonly<Record<string, unknown>>;

const AUDIO = { format: 'opus', sample_rate: 16_000, channels: 1, frame_duration: 60 };

/** What is wrong with a hello (cloud protocol 2.2). */
export function complaintsOfHello(hello: Fields, version: AudioVersion): readonly string[] {
  const features = hello.features as Fields | undefined;
  return [
    ...(hello.version === version
      ? []
      : [`version ${hello.version} in the hello, ${version} in the header Protocol-Version`]),
    ...(hello.transport === 'websocket' ? [] : [`transport ${hello.transport}`]),
    ...(features?.mcp === true ? [] : ['no features.mcp']),
    ...(isDeepStrictEqual(hello.audio_params, AUDIO)
      ? []
      : [`audio_params ${JSON.stringify(hello.audio_params)}`]),
  ].map((why) => `hello: ${why}`);
}

/** The answer: the real cloud tells its own audio parameters, a self-hosted one repeats the appliance's (cloud protocol 2.2). */
export function helloReply(hello: Fields, sessionId: string | undefined, selfHosted: boolean): Fields {
  return {
    type: 'hello',
    transport: 'websocket',
    ...(sessionId === undefined ? {} : { session_id: sessionId }),
    audio_params: selfHosted ? hello.audio_params : { ...AUDIO, sample_rate: 24_000 },
  };
}
