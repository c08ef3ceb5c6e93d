/** What is wrong with the address of an endpoint, or nothing. The address is a key, so no part of it is repeated. */
export function endpointSlip(address: string): string | undefined {
  const expected = 'expected an address that begins with wss:// (or ws://)';
  if (!/^wss?:\/\//i.test(address)) {
    const kind = /^https?:\/\//i.exec(address)?.[0].toLowerCase();
    return `${expected}, got ${kind ? `one that begins with ${kind}` : 'other text'}`;
  }
  if (/\s/.test(address)) return 'expected an address without blanks';
  if (!URL.canParse(address)) return `${expected}, got one that cannot be read`;
  // The WebSocket protocol (RFC 6455, 3) has no fragments, and the client library throws at one.
  return address.includes('#') ? 'expected an address without #' : undefined;
}
