/**
 * One unit. `names` are symbols and words, plural and kana included; `size` is its worth in SI base units as decimal text
 * or a fraction `a/b`, angles in degrees, data in bits. A compound (`of`) is taken apart when quantities are multiplied.
 */
export interface Entry {
  readonly names: string;
  readonly dimension?: string;
  readonly size?: string;
  readonly of?: string;
  /** Which of the names take prefixes: the symbols (kg), the words (kilogram, キログラム) or both. */
  readonly prefixes?: 'decimal' | 'data';
  /** Added to the number before it is scaled to kelvin. */
  readonly offset?: string;
}

/** Units by their own names, without the prefixes of `prefixes.ts`. */
export const UNITS: readonly Entry[] = [
  { names: 'm meter meters metre metres メートル', dimension: 'L', size: '1', prefixes: 'decimal' },
  { names: 'センチ', dimension: 'L', size: '0.01' },
  { names: 'ミリ', dimension: 'L', size: '0.001' },
  { names: 'in inch inches インチ', dimension: 'L', size: '0.0254' },
  { names: 'ft foot feet フィート', dimension: 'L', size: '0.3048' },
  { names: 'yd yard yards ヤード', dimension: 'L', size: '0.9144' },
  { names: 'mi mile miles マイル', dimension: 'L', size: '1609.344' },
  { names: 'nmi 海里', dimension: 'L', size: '1852' },
  { names: 'au', dimension: 'L', size: '149597870700' },
  { names: 'ly lightyear lightyears 光年', dimension: 'L', size: '9460730472580800' },
  { names: '寸', dimension: 'L', size: '1/33' },
  { names: '尺', dimension: 'L', size: '10/33' },
  { names: '間', dimension: 'L', size: '60/33' },
  { names: '里', dimension: 'L', size: '129600/33' },

  { names: 'are', dimension: 'L2', size: '100' },
  { names: 'ha hectare hectares ヘクタール', dimension: 'L2', size: '10000' },
  { names: 'acre acres エーカー', dimension: 'L2', size: '4046.8564224' },
  { names: 'sqm 平方メートル 平米', dimension: 'L2', size: '1' },
  { names: 'sqft', dimension: 'L2', size: '0.09290304' },
  { names: '坪', dimension: 'L2', size: '400/121' },
  { names: '畳', dimension: 'L2', size: '1.62' },

  { names: 'L l liter liters litre litres リットル', dimension: 'L3', size: '0.001', prefixes: 'decimal' },
  { names: 'cc', dimension: 'L3', size: '0.000001' },
  { names: 'gal gallon gallons ガロン', dimension: 'L3', size: '0.003785411784' },
  { names: 'qt quart quarts', dimension: 'L3', size: '0.000946352946' },
  { names: 'pt pint pints パイント', dimension: 'L3', size: '0.000473176473' },
  { names: 'cup cups カップ', dimension: 'L3', size: '0.0002365882365' },
  { names: 'floz', dimension: 'L3', size: '0.0000295735295625' },
  { names: 'tbsp tablespoon tablespoons', dimension: 'L3', size: '0.00001478676478125' },
  { names: 'tsp teaspoon teaspoons', dimension: 'L3', size: '0.00000492892159375' },
  { names: '大さじ', dimension: 'L3', size: '0.000015' },
  { names: '小さじ', dimension: 'L3', size: '0.000005' },
  { names: '立方メートル', dimension: 'L3', size: '1' },
  { names: '合', dimension: 'L3', size: '2401/13310000' },
  { names: '升', dimension: 'L3', size: '2401/1331000' },

  { names: 'g gram grams gramme グラム', dimension: 'M', size: '0.001', prefixes: 'decimal' },
  { names: 't ton tons tonne tonnes トン', dimension: 'M', size: '1000' },
  { names: 'lb lbs pound pounds ポンド', dimension: 'M', size: '0.45359237' },
  { names: 'oz ounce ounces オンス', dimension: 'M', size: '0.028349523125' },
  { names: 'stone stones', dimension: 'M', size: '6.35029318' },
  { names: 'ct carat carats カラット', dimension: 'M', size: '0.0002' },
  { names: '匁', dimension: 'M', size: '0.00375' },
  { names: '斤', dimension: 'M', size: '0.6' },
  { names: '貫', dimension: 'M', size: '3.75' },

  { names: 's sec secs second seconds 秒', dimension: 'T', size: '1', prefixes: 'decimal' },
  { names: 'min mins minute minutes 分', dimension: 'T', size: '60' },
  { names: 'h hr hrs hour hours 時間', dimension: 'T', size: '3600' },
  { names: 'd day days 日', dimension: 'T', size: '86400' },
  { names: 'week weeks 週 週間', dimension: 'T', size: '604800' },
  { names: 'month months ヶ月 か月 カ月', dimension: 'T', size: '2629800' },
  { names: 'yr year years 年', dimension: 'T', size: '31557600' },
  { names: 'Hz hertz ヘルツ', dimension: 'T-1', size: '1', prefixes: 'decimal' },
  { names: 'rpm', dimension: 'T-1', size: '1/60' },

  { names: 'K kelvin kelvins ケルビン', dimension: 'K', size: '1', offset: '0' },
  { names: 'C °C degC celsius centigrade 摂氏', dimension: 'K', size: '1', offset: '273.15' },
  { names: 'F °F degF fahrenheit 華氏', dimension: 'K', size: '5/9', offset: '459.67' },

  { names: 'mph', of: 'mi h-1' },
  { names: 'kph kmh', of: 'km h-1' },
  { names: 'kn knot knots ノット', of: 'nmi h-1' },
  { names: 'mps', of: 'm s-1' },

  { names: 'b bit bits ビット', dimension: 'D', size: '1', prefixes: 'data' },
  { names: 'B byte bytes バイト', dimension: 'D', size: '8', prefixes: 'data' },
  { names: 'bps', of: 'b s-1', prefixes: 'data' },

  { names: 'N newton newtons ニュートン', dimension: 'M L T-2', size: '1', prefixes: 'decimal' },
  { names: 'kgf', dimension: 'M L T-2', size: '9.80665' },
  { names: 'lbf', dimension: 'M L T-2', size: '4.4482216152605' },
  { names: 'Pa pascal pascals パスカル', dimension: 'M L-1 T-2', size: '1', prefixes: 'decimal' },
  { names: 'bar', dimension: 'M L-1 T-2', size: '100000', prefixes: 'decimal' },
  { names: 'atm 気圧', dimension: 'M L-1 T-2', size: '101325' },
  { names: 'psi', dimension: 'M L-1 T-2', size: '6894.757293168361' },
  { names: 'mmHg torr', dimension: 'M L-1 T-2', size: '133.322387415' },

  { names: 'J joule joules ジュール', dimension: 'M L2 T-2', size: '1', prefixes: 'decimal' },
  { names: 'cal calorie calories カロリー', dimension: 'M L2 T-2', size: '4.184', prefixes: 'decimal' },
  { names: 'eV', dimension: 'M L2 T-2', size: '1.602176634e-19', prefixes: 'decimal' },
  { names: 'BTU Btu', dimension: 'M L2 T-2', size: '1055.05585262' },
  { names: 'Wh ワット時', of: 'W h', prefixes: 'decimal' },
  { names: 'W watt watts ワット', dimension: 'M L2 T-3', size: '1', prefixes: 'decimal' },
  { names: 'hp horsepower', dimension: 'M L2 T-3', size: '745.69987158227022' },
  { names: 'PS 馬力', dimension: 'M L2 T-3', size: '735.49875' },
  { names: 'A amp amps ampere amperes アンペア', dimension: 'A', size: '1', prefixes: 'decimal' },
  { names: 'Ah', of: 'A h', prefixes: 'decimal' },
  { names: 'V volt volts ボルト', dimension: 'M L2 T-3 A-1', size: '1', prefixes: 'decimal' },
  { names: 'Ω Ω ohm ohms オーム', dimension: 'M L2 T-3 A-2', size: '1', prefixes: 'decimal' },

  { names: 'deg ° degree degrees 度', dimension: 'R', size: '1' },
  { names: 'rad radian radians ラジアン', dimension: 'R', size: 'radian' },
  { names: 'turn turns', dimension: 'R', size: '360' },
  { names: 'arcmin', dimension: 'R', size: '1/60' },
  { names: 'arcsec', dimension: 'R', size: '1/3600' },

  { names: 'dozen dozens ダース', size: '12' },
  { names: 'hundred 百', size: '100' },
  { names: 'thousand 千', size: '1000' },
  { names: '万', size: '10000' },
  { names: 'million millions', size: '1000000' },
  { names: '億', size: '100000000' },
  { names: 'billion billions', size: '1000000000' },
  { names: 'trillion trillions 兆', size: '1000000000000' },
];

/** Prefixes for symbols, for words and in kana, each with its power of ten. */
export const PREFIXES: readonly (readonly [string, string, string, number])[] = [
  ['T', 'tera', 'テラ', 12],
  ['G', 'giga', 'ギガ', 9],
  ['M', 'mega', 'メガ', 6],
  ['k', 'kilo', 'キロ', 3],
  ['h', 'hecto', 'ヘクト', 2],
  ['d', 'deci', 'デシ', -1],
  ['c', 'centi', 'センチ', -2],
  ['m', 'milli', 'ミリ', -3],
  ['μ', 'micro', 'マイクロ', -6],
  ['u', 'micro', 'マイクロ', -6],
  ['n', 'nano', 'ナノ', -9],
  ['p', 'pico', 'ピコ', -12],
];

/** Prefixes of data: 1 TB is 1000 GB, 1 TiB is 1024 GiB (IEC 80000-13); K is written for k. */
export const DATA_PREFIXES: readonly (readonly [string, string, string, number, number])[] = [
  ['T', 'tera', 'テラ', 10, 12],
  ['G', 'giga', 'ギガ', 10, 9],
  ['M', 'mega', 'メガ', 10, 6],
  ['k', 'kilo', 'キロ', 10, 3],
  ['K', 'kilo', 'キロ', 10, 3],
  ['Ti', 'tebi', 'テビ', 2, 40],
  ['Gi', 'gibi', 'ギビ', 2, 30],
  ['Mi', 'mebi', 'メビ', 2, 20],
  ['Ki', 'kibi', 'キビ', 2, 10],
];

/** Words and codes of money, which have no fixed worth. */
export const MONEY: readonly string[] =
  'USD EUR JPY GBP CNY KRW AUD CAD CHF TWD HKD THB INR BTC dollar dollars euro euros yen yuan won bitcoin 円 ドル ユーロ 元 ウォン 米ドル 日本円 人民元'.split(
    ' ',
  );
