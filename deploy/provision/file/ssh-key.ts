import type { Words } from './problem.ts';

/** What OpenSSH 9 and 10 take for a login; ssh-dss is gone from both. */
const KINDS = [
  'ssh-ed25519',
  'ssh-rsa',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'sk-ssh-ed25519@openssh.com',
  'sk-ecdsa-sha2-nistp256@openssh.com',
];

/** What is wrong with a line of authorized_keys, or nothing. Options before the key are not taken. */
export function sshKeySlip(key: string): Words | undefined {
  if (key.includes('PRIVATE KEY')) {
    return {
      ja: 'これは秘密鍵です。人に渡さず、.pub で終わるファイルの 1 行を書いてください',
      en: 'this is a private key. Keep it, and write the one line of the file that ends in .pub',
    };
  }
  const [kind = '', body = '', ...comment] = key.trim().split(/[ \t]+/);
  const expected = {
    ja: '"ssh-ed25519 AAAA… 名前" のような公開鍵の 1 行が必要です',
    en: 'expected one line with a public key, such as "ssh-ed25519 AAAA… name"',
  };
  if (/[\r\n]/.test(key.trim()) || comment.some((word) => /[^\P{Cc}]/u.test(word))) return expected;
  if (!KINDS.includes(kind)) return expected;
  return isWhole(kind, body)
    ? undefined
    : { ja: `${expected.ja}（途中で切れています）`, en: `${expected.en}; this one is cut` };
}

/** RFC 4253, 6.6: the body says its kind again, and each part of it its own length. */
function isWhole(kind: string, body: string): boolean {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(body)) return false;
  const bytes = Buffer.from(body, 'base64');
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (at + 4 > bytes.length) return false;
    const end = at + 4 + bytes.readUInt32BE(at);
    if (end > bytes.length) return false;
    parts.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return parts.length >= 2 && parts[0]?.toString('latin1') === kind;
}
