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
