import tls from 'node:tls';

/**
 * Who may sign a certificate: the usual authorities and an owner's own (PEM). An explicit `ca` replaces Node's defaults,
 * so they are named too.
 */
export function authorities(ca: string): string[] {
  // Node 20 has no getCACertificates.
  return [...(tls.getCACertificates?.('default') ?? tls.rootCertificates), ca];
}
