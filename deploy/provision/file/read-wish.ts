import type { Code } from '#kernel/codes.ts';
import { nearest } from './nearest.ts';
import type { Problem, Words } from './problem.ts';
import { sshKeySlip } from './ssh-key.ts';
import type { Toml } from './toml.ts';
import { countrySlip, passwordSlip, ssidSlip, type Wifi } from './wifi.ts';
import { isTable, OWN_KEYS, WIFI_KEYS, type Wish } from './wish.ts';

const MOST_NTP = 8;
const MOST_KEYS = 20;
const MOST_NAME = 64;

/** What the file asks for, as far as it is right, and what is wrong with its own keys; the rest is the product's to judge. */
export function readWish(toml: Toml): { readonly wish: Wish; readonly problems: readonly Problem[] } {
  const reader = new Reader(toml);
  const { endpoint: _, wifi: __, voice, ...rest } = toml.raw;
  const settings = Object.fromEntries(
    Object.entries(rest).filter(([key]) => !(OWN_KEYS as readonly string[]).includes(key)),
  );
  const endpoint = readEndpoint(reader);
  if (isTable(endpoint.table)) settings.endpoint = endpoint.table;
  const { token, ...talk } = isTable(voice) ? voice : {};
  const isOurs = typeof token === 'string' && token !== '';
  if (isTable(voice)) settings.voice = isOurs ? talk : voice;
  else if (voice !== undefined) settings.voice = voice;
  const wish = {
    name: reader.text(['name'], nameSlip),
    language: reader.text(['language'], languageSlip) as Wish['language'],
    timeZone: reader.text(['time_zone'], zoneSlip),
    ntp: reader.texts(['ntp'], MOST_NTP, hostSlip),
    endpoint: endpoint.url,
    voiceToken: isOurs ? token : undefined,
    sshKeys: reader.texts(['ssh_key'], MOST_KEYS, sshKeySlip)?.map((key) => key.trim()),
    wifi: readWifi(reader),
    settings,
  };
  const named = Object.entries(wish).filter(([, value]) => value !== undefined);
  return { wish: Object.fromEntries(named) as unknown as Wish, problems: reader.problems };
}

type Judge = (value: string) => Words | undefined;

/** Takes values out of the file, and notes what is wrong with them. */
class Reader {
  readonly problems: Problem[] = [];
  readonly toml: Toml;

  constructor(toml: Toml) {
    this.toml = toml;
  }

  refuse(path: readonly string[], said: Words, code: Code = 'CONFIG_INVALID'): undefined {
    const what = code === 'CONFIG_UNKNOWN_KEY' ? 'key' : 'value';
    this.problems.push({ code, ...this.toml.locate(path, what), path: path.join('.'), said });
    return undefined;
  }

  value(path: readonly string[]): unknown {
    return path.reduce<unknown>((value, key) => (isTable(value) ? value[key] : undefined), this.toml.raw);
  }

  text(path: readonly string[], judge: Judge): string | undefined {
    const value = this.value(path);
    return value === undefined ? undefined : this.#judged(path, value, judge);
  }

  /** One text or a list of them. */
  texts(path: readonly string[], most: number, judge: Judge): string[] | undefined {
    const value = this.value(path);
    if (value === undefined) return undefined;
    const list: unknown[] = Array.isArray(value) ? value : [value];
    if (list.length === 0 || list.length > most)
      return this.refuse(path, {
        ja: `1 から ${most} 個まで書けます（今は ${list.length} 個）`,
        en: `expected 1 to ${most} of them, got ${list.length}`,
      });
    const judged = list.map((one) => this.#judged(path, one, judge));
    return judged.every((one) => one !== undefined) ? judged : undefined;
  }

  #judged(path: readonly string[], value: unknown, judge: Judge): string | undefined {
    if (typeof value !== 'string') {
      return this.refuse(path, {
        ja: '値は "文字" のように " で囲んでください',
        en: 'expected text between ", got something else',
      });
    }
    const slip = judge(value);
    return slip === undefined ? value : this.refuse(path, slip);
  }
}

/** The endpoint's address, which is a key, stands alone or in the table of that name, as in appliance.toml. */
function readEndpoint(reader: Reader): { readonly url?: string | undefined; readonly table?: unknown } {
  const given = reader.value(['endpoint']);
  // A blank at either end comes with what was copied.
  if (!isTable(given)) return { url: reader.text(['endpoint'], emptySlip)?.trim() };
  const { url, ...table } = given;
  return { url: reader.text(['endpoint', 'url'], emptySlip)?.trim(), table };
}

function readWifi(reader: Reader): Wifi | undefined {
  const given = reader.value(['wifi']);
  if (given === undefined) return undefined;
  if (!isTable(given)) {
    return reader.refuse(['wifi'], {
      ja: '[wifi] の見出しの下に書いてください',
      en: 'expected a table: [wifi]',
    });
  }
  for (const key of Object.keys(given)) {
    if (!(WIFI_KEYS as readonly string[]).includes(key))
      reader.refuse(['wifi', key], misplaced(key) ?? unknown(key, WIFI_KEYS), 'CONFIG_UNKNOWN_KEY');
  }
  const ssid = reader.text(['wifi', 'ssid'], ssidSlip);
  const password = reader.text(['wifi', 'password'], passwordSlip);
  const country = reader.text(['wifi', 'country'], countrySlip);
  const { hidden = false } = given;
  if (typeof hidden !== 'boolean') {
    reader.refuse(['wifi', 'hidden'], {
      ja: 'true か false です（" で囲みません）',
      en: 'expected true or false, without "',
    });
  }
  // A line with a slip of syntax may have been the name.
  if (given.ssid === undefined && reader.toml.problems.length === 0) {
    reader.refuse(['wifi'], {
      ja: 'Wi-Fi の名前 ssid がありません',
      en: 'expected ssid, the name of the network',
    });
  }
  if (ssid === undefined) return undefined;
  return { ssid, hidden: hidden === true, ...(password && { password }), ...(country && { country }) };
}

/** What is said of a key of the top in a table: below the head of one, all belongs to it up to the next head. */
export function misplaced(key: string): Words | undefined {
  if (key === 'wifi' || !(OWN_KEYS as readonly string[]).includes(key)) return undefined;
  return {
    ja: `${key} は最初の [見出し] より上に書いてください`,
    en: `${key} belongs above the first [table]`,
  };
}

/** What is said of a key that nobody knows. */
export function unknown(key: string, known: readonly string[]): Words {
  const near = nearest(key, known);
  if (near)
    return {
      ja: `この項目はありません。${near} のことですか`,
      en: `there is no such setting; did you mean ${near}?`,
    };
  const list = known.join(', ');
  return {
    ja: `この項目はありません。ここで使えるもの: ${list}`,
    en: `there is no such setting; known here: ${list}`,
  };
}

function emptySlip(value: string): Words | undefined {
  return value.trim() === ''
    ? {
        ja: '空です。使わないなら、この行を消してください',
        en: 'expected a value, got none; where it is not needed leave the line out',
      }
    : undefined;
}

function nameSlip(name: string): Words | undefined {
  const isGood = name.trim() !== '' && [...name].length <= MOST_NAME && !/\p{C}/u.test(name);
  return isGood
    ? undefined
    : { ja: `名前は 1 から ${MOST_NAME} 文字です`, en: `expected a name of 1 to ${MOST_NAME} characters` };
}

function languageSlip(language: string): Words | undefined {
  return ['auto', 'ja', 'en'].includes(language)
    ? undefined
    : { ja: '"ja"、"en"、"auto" のどれかです', en: 'expected "ja" or "en" or "auto"' };
}

function zoneSlip(zone: string): Words | undefined {
  const slip = {
    ja: '"Asia/Tokyo" のようなタイムゾーンの名前です',
    en: 'expected a time zone such as "Asia/Tokyo"',
  };
  // Offsets such as +09:00 are zones to Intl, and no file of the system's.
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/.test(zone)) return slip;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return undefined;
  } catch {
    return slip; // Intl throws a RangeError for a zone that it does not know.
  }
}

/** Names and addresses of hosts hold nothing else, so that nothing can be smuggled into the file they are written to. */
function hostSlip(host: string): Words | undefined {
  return /^[A-Za-z0-9.:-]{1,253}$/.test(host)
    ? undefined
    : {
        ja: '"ntp.example.jp" のようなサーバー名です',
        en: 'expected the name of a server, such as "ntp.example.com"',
      };
}
