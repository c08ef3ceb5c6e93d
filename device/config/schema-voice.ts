import * as z from 'zod';
import { DEFAULTS } from './defaults.ts';
import { HOUR, ms, oneOf, table, text, whole } from './schema-kinds.ts';
import { Secret } from './secrets.ts';

/** The tables of appliance.toml that only an appliance with a voice reads; each key as in schema.ts. */

const { voice, audio, terminal } = DEFAULTS;

export const voiceTable = table(
  {
    /** Where the appliance registers itself and learns its voice address; https:// or http://. Default none: nothing is dialled. */
    activation_url: text('an address that begins with https:// or http://').default(voice.activationUrl),
    /** Address of the voice session by hand, without registration; ws:// or wss://. Default none. */
    url: secret(),
    /** Its token, for the Authorization header. Default none: no such header. */
    token: secret(),
    /** How sound is packed on a session by hand; 1, 2 or 3 (cloud protocol 2.5). Default 1. A registration says its own. */
    version: whole(1, 3, voice.version),
    /** PEM file of a private authority that signed the voice cloud's certificate, beside the usual ones. Default none. */
    ca_file: text('the path of a PEM file').default(voice.caFile),
    /** Who ends a question: auto, the cloud hears it; manual, the button is let go; realtime, both may speak at a time (only with audio.echo_cancelled). Default auto. */
    mode: oneOf(['auto', 'manual', 'realtime']).default(voice.mode),
    /** Time for name, connection, TLS and upgrade together; ms. Default 10,000. */
    dial_timeout_ms: ms(10, HOUR, voice.dialTimeoutMs),
    /** A hello unanswered for so long is said again once; ms. Default 4,000 (cloud protocol 2.2: a self-hosted cloud may drop the first). */
    hello_again_ms: ms(10, HOUR, voice.helloAgainMs),
    /** A hello unanswered for so long ends the try; ms. Default 10,000 (cloud protocol 2.2). */
    hello_timeout_ms: ms(10, HOUR, voice.helloTimeoutMs),
    /** Sound held back before an answer begins, against jitter; ms, to 2,000. Default 180: three packets (cloud protocol 2.6). */
    start_buffer_ms: ms(0, 2000, voice.startBufferMs),
    /** Longest stay in listening without a word recognised; ms. Default 30,000. */
    listen_timeout_ms: ms(10, HOUR, voice.listenTimeoutMs),
    /** Longest wait for an answer; ms. Default 60,000: a tool may take its 28 s, and a model thinks. */
    think_timeout_ms: ms(10, HOUR, voice.thinkTimeoutMs),
    /** An answer of which nothing came for so long, with nothing left to play, is over; ms. Default 10,000 (cloud protocol 6.39). */
    speak_timeout_ms: ms(10, HOUR, voice.speakTimeoutMs),
    /** Longest answer; ms. Default 600,000. */
    answer_timeout_ms: ms(10, HOUR, voice.answerTimeoutMs),
    /** A session on which nothing came for so long is dead; ms. Default 120,000 (cloud protocol 2.7). */
    silence_ms: ms(10, HOUR, voice.silenceMs),
  },
  ['hello_again_ms', 'hello_timeout_ms'],
);

export const audioTable = table({
  /** ALSA name of the microphone, as `arecord -L` lists them. Default default. */
  microphone: text('the name of a sound device').default(audio.microphone),
  /** ALSA name of the speaker, as `aplay -L` lists them. Default default. */
  speaker: text('the name of a sound device').default(audio.speaker),
  /** Loudness at the first start; 0 to 100. Default 60. What was set since is remembered. */
  volume: whole(0, 100, audio.volume),
  /** Short sounds at changes of state. Default true. */
  sounds: yes(audio.sounds),
  /** The sound device takes its own echo out of what it hears: allows voice.mode realtime, and listening while speaking. Default false. */
  echo_cancelled: yes(audio.echoCancelled),
  /** Deafness after an answer has left the speaker, without echo_cancelled; ms, to 5,000. Default 300 (audio notes 7). */
  guard_ms: ms(0, 5000, audio.guardMs),
  /** Detect speech on the appliance (Silero v5): a question is also over after speech_end_ms of silence. Default false. */
  speech_detection: yes(audio.speechDetection),
  /** Silence that ends a question; ms. Default 800. */
  speech_end_ms: ms(100, 10_000, audio.speechEndMs),
  /** Wake word: the name of a model in wake_folder, or hey_jarvis, alexa, hey_mycroft, hey_rhasspy (non-commercial licence). Default none: off. */
  wake_word: text('the name of a wake word').default(audio.wakeWord),
  /** Folder with own wake word models (NAME.onnx). Default none. */
  wake_folder: text('the path of a folder').default(audio.wakeFolder),
  /** How sure the wake word has to be; percent, 1 to 99. Default 50. */
  wake_threshold: whole(1, 99, audio.wakeThreshold),
});

const action = () => oneOf(['talk', 'stop', 'status', 'none']);

export const terminalTable = table(
  {
    /** Serial port of the terminal by its stable name, /dev/serial/by-id/…. Default none: the appliance runs on sound alone. */
    port: text('the path of a serial port').default(terminal.port),
    /** Speed of the line; bit/s. Default 115,200. */
    baud: whole(1200, 4_000_000, terminal.baud),
    /** Edges closer than this are one; ms, to 1,000. Default 30. */
    debounce_ms: ms(0, 1000, terminal.debounceMs),
    /** A second press within this makes a double; ms. Default 250 (user-experience notes 3). */
    double_ms: ms(10, 5000, terminal.doubleMs),
    /** A press held for so long is long; ms, longer than double_ms. Default 1,000. */
    long_ms: ms(10, 60_000, terminal.longMs),
    /** What a press does: talk (begin, or end what goes on), stop (end all), status (sound the state), none. A long press that talks is held to talk: letting go ends the question. Defaults talk, stop, status, talk. */
    click: action().default(terminal.click),
    double: action().default(terminal.double),
    triple: action().default(terminal.triple),
    long: action().default(terminal.long),
    /** Brightness of the lights; 0 to 100. Default 40. */
    brightness: whole(0, 100, terminal.brightness),
  },
  ['double_ms', 'long_ms'],
);

function secret() {
  return text('text')
    .default('')
    .transform((value) => (value === '' ? undefined : new Secret(value)));
}

function yes(usual: boolean) {
  return z.boolean('true or false').default(usual);
}
