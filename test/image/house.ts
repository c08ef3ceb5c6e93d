import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type Cloud, startCloud } from '../cloud/cloud.ts';
import type { Speech } from '../cloud/voice/speech.ts';
import { tones } from '../cloud/voice/tones.ts';
import { startVoiceCloud, type VoiceCloud } from '../cloud/voice/voice-cloud.ts';
import { type BenchTerminal, plugTerminal } from '../terminal/plug.ts';
import { HOST } from './machine.ts';

/** Ports of HOST behind which the two clouds are. */
const TOOLS_PORT = 8001;
const VOICE_PORT = 8002;
/** An emulated board is slow to hear; what the bench complains of is measured on real time elsewhere. */
const GRACE_MS = 60_000;
/** What a terminal gives a board to answer, 100 and 6000 ms otherwise: while this one loads what hears it is deaf for seconds. */
const PATIENCE = { ackMs: 1000, hostLostMs: 20_000 };

/** House: what stands around the machine: both clouds, the terminal on its serial line, and the way in by ssh. */
export interface House extends AsyncDisposable {
  readonly cloud: Cloud;
  readonly voice: VoiceCloud;
  readonly terminal: BenchTerminal;
  readonly speech: Speech;
  readonly sshPort: number;
  readonly reachable: Readonly<Record<number, number>>;
  /** Addresses of the clouds as the machine has them, keys included. */
  readonly endpoint: string;
  readonly voiceUrl: string;
}

export async function openHouse(): Promise<House> {
  await using made = new AsyncDisposableStack();
  const speech = tones();
  // A machine whose power is cut leaves its sockets half open for a moment: that is no fault of the appliance.
  const cloud = made.use(await startCloud({ tolerant: true, sockets: 2 }));
  const voice = made.use(await startVoiceCloud({ speech, tools: cloud, tolerant: true, graceMs: GRACE_MS }));
  const terminal = made.use(await plugTerminal(PATIENCE));
  const sshPort = await freePort();
  const held = made.move();
  const toolsUrl = new URL(cloud.endpoint);
  const voiceUrl = new URL(voice.url);
  return {
    cloud,
    voice,
    terminal,
    speech,
    sshPort,
    reachable: { [TOOLS_PORT]: Number(toolsUrl.port), [VOICE_PORT]: Number(voiceUrl.port) },
    endpoint: asSeenFromInside(toolsUrl, TOOLS_PORT),
    voiceUrl: asSeenFromInside(voiceUrl, VOICE_PORT),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

function asSeenFromInside(url: URL, port: number): string {
  const inside = new URL(url);
  inside.hostname = HOST;
  inside.port = `${port}`;
  return inside.href;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
