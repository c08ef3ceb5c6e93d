import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A certificate and its key, both PEM, as `https.createServer` and a CA file take them. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

const DAY = 86_400_000;

/**
 * A self-signed certificate for 127.0.0.1 and localhost (X.509 v3, ECDSA P-256), made without any tool. `from` and
 * `until` are in ms since 1970; by default it is good from yesterday for a month.
 */
export function makeCertificate(from = Date.now() - DAY, until = Date.now() + 30 * DAY): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = seq(set(seq(oid(2, 5, 4, 3), der(0x0c, Buffer.from('bench cloud')))));
  const hosts = seq(der(0x87, Buffer.from([127, 0, 0, 1])), der(0x82, Buffer.from('localhost')));
  const body = seq(
    der(0xa0, integer(Buffer.from([2]))), // version 3
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])), // serial number
    ecdsaWithSha256(),
    name,
    seq(time(from), time(until)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      seq(
        extension(oid(2, 5, 29, 17), hosts),
        extension(oid(2, 5, 29, 19), seq(der(0x01, Buffer.from([255])))),
      ),
    ),
  );
  const signature = sign('sha256', body, privateKey);
  const certificate = seq(body, ecdsaWithSha256(), der(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** One DER value: tag, length, content (X.690 8.1). */
function der(tag: number, ...content: Buffer[]): Buffer {
  const all = Buffer.concat(content);
  const { length } = all;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), all]);
}

function seq(...content: Buffer[]): Buffer {
  return der(0x30, ...content);
}

function set(...content: Buffer[]): Buffer {
  return der(0x31, ...content);
}

function integer(bytes: Buffer): Buffer {
  return der(0x02, bytes);
}

/** An object identifier: the first two numbers share a byte, the others are in base 128. */
function oid(first: number, second: number, ...rest: number[]): Buffer {
  const digits = rest.flatMap((value) => {
    const low = [value & 127];
    for (let high = value >> 7; high > 0; high >>= 7) low.unshift((high & 127) | 128);
    return low;
  });
  return der(0x06, Buffer.from([first * 40 + second, ...digits]));
}

function ecdsaWithSha256(): Buffer {
  return seq(oid(1, 2, 840, 10_045, 4, 3, 2));
}

/** UTCTime, good until 2049: YYMMDDhhmmssZ. */
function time(ms: number): Buffer {
  return der(
    0x17,
    Buffer.from(
      new Date(ms)
        .toISOString()
        .replace(/\.\d+|[-:T]/g, '')
        .slice(2),
    ),
  );
}

function extension(id: Buffer, value: Buffer): Buffer {
  return seq(id, der(0x04, value));
}
