/** What an endpoint's token says of itself; opaque tokens (self-hosted, cloud protocol 1.2) say nothing. */
export interface TokenFacts {
  /** When it stops being valid (wall clock, ms). */
  readonly expiresAt?: number;
}

/** Reads the payload of a JWT in the `token` of an endpoint. The signature is for the cloud to check. Never throws. */
export function readToken(url: string): TokenFacts {
  try {
    const payload = new URL(url).searchParams.get('token')?.split('.')[1];
    if (!payload) return {};
    const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { exp?: unknown };
    return typeof exp === 'number' && Number.isFinite(exp) ? { expiresAt: exp * 1000 } : {};
  } catch {
    return {};
  }
}
