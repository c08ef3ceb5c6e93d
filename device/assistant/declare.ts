import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Fault } from '#kernel/fault.ts';
import { microphoneService } from '../audio/microphone/microphone-service.ts';
import { loadOpus } from '../audio/opus.ts';
import { PLAYED_HZ } from '../audio/speaker/speaker.ts';
import { speakerService } from '../audio/speaker/speaker-service.ts';
import { installedSpeechModel, installedWakeModels } from '../audio/speech/onnx-models.ts';
import type { Settings } from '../config/defaults.ts';
import { bundleFolder, findPlaces } from '../config/places.ts';
import { caOf, type Declaration, type Kit } from '../services.ts';
import { terminalService } from '../terminal/service.ts';
import { VERSION } from '../version.ts';
import type { ProtocolVersion } from '../voice/session/frame.ts';
import { createDeviceTools } from '../voice/tools/device-tools.ts';
import { readMachine, systemInfo } from '../voice/tools/machine.ts';
import { voiceService } from '../voice/voice-service.ts';
import { hasVoice } from '../wanted.ts';
import type { Assistant } from './assistant.ts';
import { hearingService } from './hearing.ts';
import { soundEnvironment } from './sound-environment.ts';
import { spokenLanguage } from './spoken-language.ts';

/** A speaker that is held by another program, or was pulled out, is tried for ever. */
const CARD = { settleMs: 10_000, firstMs: 500, maxMs: 10_000, maxRestarts: 1000, windowMs: 60_000 };

/** What closing the last session may take, before the next dial begins. */
const SPARE_MS = 3000;

/** The services of a person's side, in the order of start: what shows, what sounds, then what speaks. */
export function declareAssistant(assistant: Assistant, settings: Settings, kit: Kit): Declaration[] {
  const { terminal } = settings;
  const sound = hasVoice(settings);
  const isHearing = sound && (settings.audio.wakeWord !== '' || settings.audio.speechDetection);
  return [
    ...(terminal.port === '' ? [] : [declareTerminal(assistant, settings, kit)]),
    ...(sound ? [declareSpeaker(assistant, settings), declareMicrophone(assistant, settings, kit)] : []),
    ...(isHearing ? [declareHearing(assistant, settings, kit)] : []),
    ...(sound ? [declareVoice(assistant, settings, kit)] : []),
  ];
}

function declareTerminal({ terminal }: Assistant, settings: Settings, kit: Kit): Declaration {
  const { port, baud, debounceMs, doubleMs, longMs } = settings.terminal;
  const told = { port, baud, debounceMs, doubleMs, longMs };
  const log = kit.log.child({ service: 'terminal' });
  return {
    name: 'terminal',
    key: JSON.stringify(told),
    create: () => terminalService({ ...told, terminal, clock: kit.clock, log }),
  };
}

function declareSpeaker({ speaker }: Assistant, { audio }: Settings): Declaration {
  return { name: 'speaker', key: audio.speaker, create: () => speakerService({ speaker, restart: CARD }) };
}

function declareMicrophone({ microphone }: Assistant, { audio }: Settings, kit: Kit): Declaration {
  const { clock, environment } = kit;
  const place = {
    device: audio.microphone,
    env: soundEnvironment(environment),
    recorderFile: join(bundleFolder(), 'arecord.js'),
  };
  const log = kit.log.child({ service: 'microphone' });
  return {
    name: 'microphone',
    key: JSON.stringify(place),
    create: () => microphoneService({ ...place, microphone, clock, log }),
  };
}

function declareHearing(assistant: Assistant, settings: Settings, { clock }: Kit): Declaration {
  const { microphone, voice } = assistant;
  const { wakeWord, wakeFolder, wakeThreshold, speechDetection, speechEndMs } = settings.audio;
  const told = { wakeWord, wakeFolder, wakeThreshold, speechDetection, speechEndMs };
  return {
    name: 'hearing',
    key: JSON.stringify(told),
    create() {
      const { resolve } = createRequire(join(bundleFolder(), 'aivoice.js'));
      const wake = {
        word: wakeWord,
        folder: wakeFolder,
        models: installedWakeModels(resolve),
        threshold: wakeThreshold / 100,
      };
      return hearingService({
        ...{ microphone, voice, clock, speechEndMs },
        endsQuestions: speechDetection,
        speechModel: installedSpeechModel(resolve),
        ...(wakeWord === '' ? {} : { wake }),
        onWake: (word) => void assistant.wake(word),
      });
    },
  };
}

function declareVoice(assistant: Assistant, settings: Settings, kit: Kit): Declaration {
  const { voice: told, audio } = settings;
  const { url, token, activationUrl, caFile, mode } = told;
  const ca = caOf(caFile);
  const access =
    url === undefined
      ? { activationUrl }
      : {
          credentials: {
            url: url.reveal(),
            token: token?.reveal() ?? '',
            version: told.version as ProtocolVersion,
          },
        };
  const { dialTimeoutMs, helloAgainMs, helloTimeoutMs, silenceMs, startBufferMs } = told;
  const { listenTimeoutMs, thinkTimeoutMs, speakTimeoutMs, answerTimeoutMs } = told;
  const passed = {
    access,
    session: { dialMs: dialTimeoutMs, helloAgainMs, helloTimeoutMs, silenceMs, ...(ca && { ca }) },
    mode: mode === 'realtime' && !audio.echoCancelled ? 'auto' : mode,
    stays: {
      connectMs: dialTimeoutMs + helloTimeoutMs + SPARE_MS,
      listenMs: listenTimeoutMs,
      thinkMs: thinkTimeoutMs,
      speakMs: speakTimeoutMs,
      answerMs: answerTimeoutMs,
      guardMs: audio.echoCancelled ? 0 : audio.guardMs,
    },
    startBufferMs,
    folder: findPlaces(kit.environment).state,
    version: VERSION,
    language: spokenLanguage(settings, kit.environment),
  } as const;
  return {
    name: 'voice',
    key: JSON.stringify(passed),
    create: () =>
      voiceService({
        ...passed,
        ...{ voice: assistant.voice, microphone: assistant.microphone, speaker: assistant.speaker },
        loadCodec: () => loadOpus(),
        playedHz: PLAYED_HZ,
        makeTools: () => createDeviceTools(deviceParts(assistant, kit), kit.clock),
        isWorking: () => kit.router.isBusy,
        onCode: (digits) => assistant.showCode(digits),
        keepSecret: kit.keepSecret,
        ...{ clock: kit.clock, random: kit.random, log: kit.log.child({ service: 'voice' }) },
      }),
  };
}

function deviceParts(assistant: Assistant, { environment }: Kit) {
  const { mute } = assistant;
  return {
    info: { name: 'aivoice-edge', version: VERSION },
    volume: {
      get: () => assistant.volume,
      set: (percent: number) => {
        assistant.volume = percent;
      },
    },
    ...(assistant.settings.terminal.port === ''
      ? {}
      : {
          lights: {
            get: () => assistant.terminal.panel.brightness,
            set: (brightness: number) => assistant.terminal.show({ brightness }),
          },
        }),
    microphone: {
      muted: () => mute.on,
      mute: (on: boolean) => {
        if (!on && mute.byTerminal) throw new Fault('MUTED', 'the switch of the terminal is on');
        // The answer leaves first: a mute ends the session in which it was asked for.
        if (on) setImmediate(() => mute.ask(true));
        else mute.ask(false);
      },
    },
    machine: () => readMachine(),
    systemInfo: () => systemInfo(VERSION),
    // Only where somebody starts it again: systemd does.
    ...(environment.variables.INVOCATION_ID === undefined ? {} : { reboot: () => restartSoon() }),
  };
}

/** Soon: the answer to the cloud leaves first. */
function restartSoon(): void {
  setImmediate(() => process.kill(process.pid, 'SIGTERM'));
}
