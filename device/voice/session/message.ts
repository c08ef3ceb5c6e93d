import { type Fields, isRecord, parseJson } from '../json.ts';
import type { CloudMessage } from './session.ts';

/** The cloud's hello (cloud protocol 2.2). Its audio_params are not read: a packet tells its own length and any rate decodes it. */
export interface CloudHello {
  readonly type: 'hello';
  /** '' where it gave none, or none that can be echoed. */
  readonly sessionId: string;
}

/** Why a text is no message for us; the names are those of SessionCounters. */
export type Unread = 'notJson' | 'malformed' | 'unknown';

/** An id is echoed in every message: a longer one than this is taken for none. */
const MAX_ID = 256;

/** Reads one text of the cloud. Never throws. */
export function readMessage(text: string): CloudHello | CloudMessage | Unread {
  // A self-hosted cloud says in a plain sentence why it closes (cloud protocol 2.1).
  const value = parseJson(text);
  if (!isRecord(value)) return 'notJson';
  const { type } = value;
  if (typeof type !== 'string') return 'malformed';
  switch (type) {
    case 'hello':
      return readHello(value);
    case 'stt':
      return isText(value.text) ? { type, text: value.text } : 'malformed';
    case 'llm':
      return readMood(value);
    case 'tts':
      return readSpeech(value);
    case 'mcp':
      return isRecord(value.payload) ? { type, payload: value.payload } : 'malformed';
    case 'system':
      return isText(value.command) ? { type, command: value.command } : 'malformed';
    case 'alert': {
      const { status, message, emotion } = value;
      if (!isText(status) || !isText(message) || !isText(emotion)) return 'malformed';
      return { type, status, message, emotion };
    }
    case 'goodbye':
      return { type };
    default:
      return 'unknown';
  }
}

/** A hello of the other transport (`udp`) opens nothing here; one that names none is taken. */
function readHello({ transport, session_id: id }: Fields): CloudHello | Unread {
  if (transport !== undefined && transport !== 'websocket') return 'malformed';
  return { type: 'hello', sessionId: isText(id) && id.length <= MAX_ID ? id : '' };
}

/** Clouds leave out one of the two at times; with neither it says nothing. */
function readMood({ emotion, text }: Fields): CloudMessage | Unread {
  if (!isText(emotion) && !isText(text)) return 'malformed';
  return { type: 'llm', emotion: isText(emotion) ? emotion : '', text: isText(text) ? text : '' };
}

function readSpeech({ state, text }: Fields): CloudMessage | Unread {
  if (state === 'start' || state === 'stop') return { type: 'tts', state };
  if (state !== 'sentence_start') return isText(state) ? 'unknown' : 'malformed';
  return isText(text) ? { type: 'tts', state, text } : 'malformed';
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
