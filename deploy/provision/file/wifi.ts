import type { Words } from './problem.ts';

/** A network as the owner named it. */
export interface Wifi {
  readonly ssid: string;
  /** Absent: an open network. */
  readonly password?: string;
  /** ISO 3166-1, two capitals: which channels and powers are allowed. */
  readonly country?: string;
  /** The network does not tell its name, so that it has to be asked for. */
  readonly hidden: boolean;
}

/** IEEE 802.11: an SSID is 1 to 32 bytes, whatever they are. */
export function ssidSlip(ssid: string): Words | undefined {
  const bytes = Buffer.byteLength(ssid);
  if (bytes >= 1 && bytes <= 32) return undefined;
  return {
    ja: `Wi-Fi の名前は 1 から 32 バイトです（今は ${bytes} バイト。かなや漢字は 1 文字 3 バイト）`,
    en: `expected a network name of 1 to 32 bytes, got ${bytes} (a Japanese character has 3)`,
  };
}

/** IEEE 802.11 (WPA): a passphrase is 8 to 63 printable characters of ASCII, a key 64 digits of hexadecimal. */
export function passwordSlip(password: string): Words | undefined {
  if (password === '') {
    return {
      ja: '空です。パスワードのない Wi-Fi なら、この行を消してください',
      en: 'expected a password, got none; for an open network leave the line out',
    };
  }
  if (!/^[\x20-\x7e]*$/.test(password)) {
    return {
      ja: 'WPA のパスワードは半角の英数字と記号だけです（かな、漢字、全角の文字は使えません）',
      en: 'WPA wants plain letters, digits and signs of ASCII, got others',
    };
  }
  const { length } = password;
  if ((length >= 8 && length <= 63) || /^[0-9a-f]{64}$/i.test(password)) return undefined;
  return {
    ja: `WPA のパスワードは 8 から 63 文字（または 16 進数 64 桁）です（今は ${length} 文字）`,
    en: `WPA wants 8 to 63 characters (or 64 hexadecimal digits), got ${length}`,
  };
}

/** ISO 3166-1. The radio knows no others, and stays at what all countries allow: it would not hear channels 12 and 13, say. */
export function countrySlip(country: string): Words | undefined {
  if (/^(?!ZZ)[A-Z]{2}$/.test(country)) {
    const today = new Intl.Locale(`und-${country}`).region;
    if (today !== country)
      return { ja: `この国の記号は "${today}" です`, en: `this country goes by "${today}"` };
    if (REGIONS.of(country) !== undefined) return undefined;
  }
  return {
    ja: '国は "JP" のように大文字 2 文字です',
    en: 'expected two capital letters of a country, such as "JP"',
  };
}

const REGIONS = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/**
 * The connection as NetworkManager keeps it (nm-settings-keyfile(5)). The SSID is written as a list of bytes: a text
 * would be read as one where it happens to hold digits and semicolons only, and a list keeps any byte and any blank.
 * `wpa-psk` is WPA2 and WPA3 both, whichever the network offers (nm-settings-nmcli(5), key-mgmt); `sae` would be WPA3 alone.
 */
export function keyfileOf({ ssid, password, hidden }: Wifi): string {
  const bytes = [...Buffer.from(ssid)].map((byte) => `${byte};`).join('');
  const security =
    password === undefined ? [] : ['', '[wifi-security]', 'key-mgmt=wpa-psk', `psk=${escaped(password)}`];
  return [
    '[connection]',
    'id=aivoice-wifi',
    'type=wifi',
    'autoconnect=true',
    // For ever: after four failures NetworkManager would leave the network alone, also when the router is back.
    'autoconnect-retries=0',
    '',
    '[wifi]',
    'mode=infrastructure',
    `ssid=${bytes}`,
    ...(hidden ? ['hidden=true'] : []),
    // 2 is off: with it on, the chip of some boards stops answering after hours or days.
    'powersave=2',
    ...security,
    '',
    '[ipv4]',
    'method=auto',
    '',
    '[ipv6]',
    'method=auto',
    '',
  ].join('\n');
}

/** GLib's key files: a backslash begins an escape, and blanks at either end of a value are dropped unless written \s. */
function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll(' ', '\\s');
}
