/** What is wrong with the address of a WebSocket, or nothing. The address is a key, so no part of it is repeated. */
export function endpointSlip(address: string): string | undefined {
  const slip = addressSlip(address, ['wss', 'ws']);
  if (slip !== undefined) return slip;
  // The WebSocket protocol (RFC 6455, 3) has no fragments, and the client library throws at one.
  return address.includes('#') ? 'expected an address without #' : undefined;
}

/** What is wrong with the address of a web service, or nothing. It may hold a password, so no part of it is repeated. */
export function webSlip(address: string): string | undefined {
  return addressSlip(address, ['https', 'http']);
}

/** Hosts at home: this machine, private addresses (RFC 1918, 3927, 4193, 6598), and names that no public DNS has. */
const AT_HOME =
  /^(?:127\.|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|\[(?:::1\]|f[cd]|fe80:)|[^.[]+$|.*\.(?:local|localhost|lan|home|internal|home\.arpa)$)/;

/** What is wrong with an address, good otherwise, that is not encrypted and leads out of the home; or nothing. */
export function clearTextSlip(address: string): string | undefined {
  const { protocol, hostname } = new URL(address);
  if (!(protocol === 'ws:' || protocol === 'http:') || AT_HOME.test(hostname)) return undefined;
  const [usual, plain] = protocol === 'ws:' ? ['wss', 'ws'] : ['https', 'http'];
  return `expected ${usual}:// to a host on the internet, got ${plain}://; keys and voice would travel unencrypted`;
}

type Schemes = readonly [usual: string, plain: string];

function addressSlip(address: string, [usual, plain]: Schemes): string | undefined {
  const expected = `expected an address that begins with ${usual}:// (or ${plain}://)`;
  const [kind, scheme = ''] = /^(wss?|https?):\/\//i.exec(address.toLowerCase()) ?? [];
  if (scheme !== usual && scheme !== plain) {
    return `${expected}, got ${kind ? `one that begins with ${kind}` : 'other text'}`;
  }
  if (/\s/.test(address)) return 'expected an address without blanks';
  return URL.canParse(address) ? undefined : `${expected}, got one that cannot be read`;
}
