/** What of the status document (`aivoice status --json`) tells whether a release works. */
export interface Status {
  readonly version: string;
  readonly parts: readonly Part[];
}

export interface Part {
  readonly name: string;
  readonly kind?: string;
  readonly state: string;
  readonly code?: string | null;
  readonly reason?: string | null;
}

/**
 * Why a part can be unready without any fault of the release: the network, the cloud, the clock, the key, a registration
 * that waits for its owner, what is not plugged in, a card that is worn out, and what an earlier update left to be
 * acknowledged.
 */
const OUTSIDE = new Set([
  'ENDPOINT_MISSING',
  'NET_NAME',
  'NET_DOWN',
  'NET_AUTH',
  'NET_NOT_FOUND',
  'NET_NO_ADDRESS',
  'NET_NO_RADIO',
  'TLS',
  'CLOCK',
  'KEY_REFUSED',
  'KEY_EXPIRED',
  'REPLACED',
  'CLOUD_CLOSED',
  'CLOUD_HTTP',
  'REMOTE_DOWN',
  'REMOTE_TLS',
  'REMOTE_REFUSED',
  'REMOTE_EXPIRED',
  'VOICE_CODE',
  'VOICE_REGISTERING',
  'VOICE_REFUSED',
  'VOICE_NOT_REGISTERED',
  'VOICE_NO_WEBSOCKET',
  'VOICE_SILENT',
  'VOICE_CLOSED',
  'VOICE_BUSY',
  'AUDIO_MISSING',
  'AUDIO_BUSY',
  'AUDIO_LOST',
  'MUTED',
  'TERMINAL_MISSING',
  'TERMINAL_BUSY',
  'TERMINAL_SILENT',
  'TERMINAL_LOST',
  'UPDATE_UNDONE',
  'DATA_NOT_KEPT',
  'DATA_SKIPPED',
  'DATA_ERRORS',
]);

/**
 * Holds a status against what a release owes: its own version, and every part ready, or unready for a reason outside of
 * it, or unready before it came. Returns what is amiss in a short English phrase, or `undefined`.
 */
export function ailment(status: Status, version: string, before?: Status): string | undefined {
  if (status.version !== version) return `version ${status.version} answers`;
  const ailing = new Set(before?.parts.filter(({ state }) => state !== 'ready').map(({ name }) => name));
  for (const { name, state, code, reason } of status.parts) {
    if (state === 'ready' || ailing.has(name) || isOutside(code)) continue;
    return [`${name} is ${state}`, code, reason].filter(Boolean).join(', ').slice(0, 200);
  }
  return undefined;
}

/** True for a code that tells nothing against a release by itself. */
export function isOutside(code: string | null | undefined): boolean {
  return OUTSIDE.has(code ?? '');
}

/** True for a status document, however many fields newer versions add. */
export function isStatus(value: unknown): value is Status {
  const { version, parts } = (value ?? {}) as { version?: unknown; parts?: unknown };
  return typeof version === 'string' && Array.isArray(parts);
}
