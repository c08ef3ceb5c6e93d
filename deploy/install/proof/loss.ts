import semver from 'semver';
import { isOutside, type Part, type Status } from './health.ts';

/** A part that was ready under the release that ran before, and is not now. */
export interface Loss {
  /** A short English phrase. */
  readonly reason: string;
  /** The release is to blame: all the time of the gate did not mend it. */
  readonly isItsFault: boolean;
}

/** These only look and tell: a later release may look at something else. */
const MONITORS = new Set(['config', 'network', 'release', 'storage']);

/**
 * Reasons outside of a release that are its fault all the same, where the part was ready seconds before it came and is
 * not in the whole of the gate: an endpoint, a certificate, a registration, a sound card or a terminal that is good under
 * one release and never under the next was lost by that one (its reading of settings and state, its list of authorities,
 * its way to open a device). Where the world did change in that very minute a sound release is put back once; the part
 * then ails under the old one too, which is what the next attempt is held against.
 * All other reasons stay outside, however well the part was: an unreachable, busy or closed cloud, a clock, a switch that
 * the owner turned. So does a cloud that says no: it is asked again only after minutes, so that one wrong answer of its
 * would fill the gate. A network without a way to the cloud had no ready part of it before, whatever it answers with, TLS
 * among it, so that nothing here is asked of it.
 */
const LOSABLE = new Set([
  'ENDPOINT_MISSING',
  'TLS',
  'REMOTE_TLS',
  'VOICE_CODE',
  'VOICE_REGISTERING',
  'VOICE_NOT_REGISTERED',
  'AUDIO_MISSING',
  'AUDIO_BUSY',
  'AUDIO_LOST',
  'TERMINAL_MISSING',
  'TERMINAL_BUSY',
  'TERMINAL_SILENT',
  'TERMINAL_LOST',
]);

/**
 * What was ready before and is missing or unready for a reason outside, the release's own faults first. What the owner has
 * switched off was not there before either. An older release, which people go back to, need not have every newer part.
 */
export function loss(status: Status, before: Status | undefined): Loss | undefined {
  const isOlder = isBefore(status.version, before?.version);
  const losses = before?.parts
    .filter(({ state }) => state === 'ready')
    .map((part) => lossOf(part, status, isOlder));
  const found = losses?.filter((one) => one !== undefined);
  return found?.find(({ isItsFault }) => isItsFault) ?? found?.[0];
}

function lossOf({ name, kind }: Part, { parts }: Status, isOlder: boolean): Loss | undefined {
  // A server whose name a later release takes for a part of its own is shown as `server:NAME`.
  const now =
    parts.find((part) => part.name === name) ?? parts.find((part) => part.name === `server:${name}`);
  if (!now) {
    const isFree = isOlder || MONITORS.has(kind ?? '');
    return isFree ? undefined : { reason: `${name} is missing`, isItsFault: true };
  }
  const { state, code } = now;
  if (state === 'ready' || !isOutside(code)) return undefined;
  return { reason: `${name} is ${state}, ${code}`, isItsFault: LOSABLE.has(code ?? '') };
}

function isBefore(version: string, other = ''): boolean {
  return semver.valid(version) !== null && semver.valid(other) !== null && semver.lt(version, other);
}
