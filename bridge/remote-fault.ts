import { errnoOf, Fault } from '#kernel/fault.ts';
import { faultOfDial } from '#kernel/link-ending.ts';

/** What went wrong with a request, without its address, its headers or the text of the server: each may hold a key. */
export function faultOfRequest(error: unknown, wall: number): Fault {
  if (error instanceof Fault) return error;
  const errno = errnoOf(error);
  if (errno.startsWith('HPE_')) return new Fault('REMOTE_ANSWER', `expected HTTP, got ${errno}`);
  // Node quotes the header that it refuses.
  if (errno.startsWith('ERR_INVALID') || errno.startsWith('ERR_HTTP'))
    return new Fault('CONFIG_INVALID', `a header cannot be sent: ${errno}`);
  const fault = faultOfDial(error, wall);
  if (fault.code === 'CLOCK') return fault;
  return new Fault(fault.code === 'TLS' ? 'REMOTE_TLS' : 'REMOTE_DOWN', errno || 'the connection broke');
}

/** What a status means that is none of success; `session`: the request named one. */
export function faultOfStatus(status: number, session: boolean, body: string): Fault {
  if (status === 401)
    return new Fault('REMOTE_REFUSED', 'HTTP 401: the key in headers is missing or not valid');
  if (session && (status === 404 || status === 410 || (status === 400 && /session/i.test(body))))
    return new Fault('REMOTE_EXPIRED', `the session is over (HTTP ${status})`);
  if (status === 403)
    return new Fault('REMOTE_ERROR', 'HTTP 403: this is not allowed with the given headers');
  return new Fault('REMOTE_ERROR', `HTTP ${status}`);
}

/** After these no request of the session can succeed; after any other only the one that met it is lost. */
export function endsSession({ code }: Fault): boolean {
  return (
    code === 'REMOTE_REFUSED' ||
    code === 'REMOTE_EXPIRED' ||
    code === 'REMOTE_DOWN' ||
    code === 'REMOTE_TLS' ||
    code === 'CLOCK'
  );
}
