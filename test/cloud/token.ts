import { createCipheriv, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A year of 365.25 days in seconds: the life of a real token (cloud protocol 1.2). */
const YEAR = 31_557_600;

/** A token of the real cloud's shape: a JWT signed with ES256. `exp` is in seconds since 1970, in a year by default. */
export function makeJwt(exp = Math.floor(Date.now() / 1000) + YEAR): string {
  const payload = {
    userId: 1,
    agentId: 2,
    endpointId: 'agent_2',
    purpose: 'mcp-endpoint',
    iat: exp - YEAR,
    exp,
  };
  const head = `${base64url({ alg: 'ES256', typ: 'JWT' })}.${base64url(payload)}`;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signature = sign('sha256', Buffer.from(head), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${head}.${signature.toString('base64url')}`;
}

/** A token of a self-hosted broker: base64 of an AES-ECB text, opaque to the appliance, with `+`, `/` and `=` in it. */
export function makeBrokerToken(agentId = 'bench'): string {
  for (;;) {
    const cipher = createCipheriv('aes-256-ecb', randomBytes(32), null);
    const token = cipher.update(JSON.stringify({ agentId }), 'utf8', 'base64') + cipher.final('base64');
    if (/[+/]/.test(token)) return token;
  }
}

function base64url(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
