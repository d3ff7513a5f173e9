// Finds the numbers in a text of a model or a person: between words, with units, currencies and signs. It skips what
// only looks like a number (labels, versions, dates, times, ranges). contract/numerals reads each number. Pure.
import { readNumeral } from '#core/contract/numerals.ts';

export interface ProseNumber {
  /** As written in the text. */
  readonly text: string;
  readonly value: number;
  /** Its other readings: by the other convention of marks, as one number of a list, without the factor of its unit. */
  readonly others: readonly number[];
  /** "%" or "percent" follows it. The value of 50% is 50. */
  readonly isPercent: boolean;
}

const SPACES = ' \\u00A0\\u2009\\u202F';
/** Three digits and no more: a group of thousands. */
const GROUP = '\\d{3}(?![\\p{L}\\p{N}])';
const CURRENCY = '(?:\\p{Sc}|(?:USD|EUR|GBP|CHF|JPY|CNY|INR|Rs\\.?)(?=\\s?[\\d.]))';
/** Letters with digits attached: Item-7, v1.2.3, GPT-4o, snake_2, No.5. */
const WORD = `(?!${CURRENCY})[\\p{L}_][\\p{L}\\p{M}\\p{N}_]*(?:[-.][\\p{L}\\p{N}_]+)*`;
/**
 * Digits, and marks and letters that digits or letters follow directly. A space only before a group of thousands, or
 * before a fraction.
 */
const TAIL = [
  '[\\d\\p{L}\\p{M}\\p{No}]',
  '[.,:/](?=\\d)',
  '[./](?=\\p{Ll})',
  '[-−–](?=[\\d\\p{L}])',
  '_(?=\\d)',
  `['’](?=${GROUP})`,
  `(?<=\\d)[${SPACES}](?=${GROUP})`,
  `(?<=\\d)[${SPACES}](?=\\d{1,2}/\\d{1,2}(?![\\p{L}\\p{N}/]))`,
  '(?<=[eE])[+\\-−](?=\\d)',
  '\\^\\{?[-−+]?\\d+\\}?',
].join('|');
/**
 * A minus belongs to the number unless a letter, a digit or one of `)]%°.` comes right before it. After an equals sign
 * a space may follow it.
 */
const SIGN = '(?:(?<=[=≈]\\s?)[+\\-−–]\\s?|(?<![\\p{L}\\p{N})\\]%°.])[+\\-−–](?!\\s))';
const BODY = `(?<body>(?:\\d|(?<!\\.)\\.(?=\\d))(?:${TAIL})*)`;
const SCALE = '(?<scale>\\s(?:thousand|million|billion|trillion)\\b)';
const TOKEN = new RegExp(
  `${WORD}|(?<sign>${SIGN})?(?:${CURRENCY}\\s?(?<inner>[+\\-−](?=[\\d.]))?)?${BODY}${SCALE}?`,
  'gu',
);

const NUMBER = `[\\d.,'’_${SPACES}]*\\d(?:[eE][+\\-−]?\\d+)?`;
/**
 * A number with a unit or an ordinal ending attached: 5kg, 10-year, 3rd, 5km/h. No digit follows the letters.
 */
const WITH_UNIT = new RegExp(`^(${NUMBER})(-?\\p{L}[\\p{L}\\p{M}./-]*[²³]?)?$`, 'u');
const LIST = /^-?\d+(?:[.]\d+)?(?:,\d+(?:[.]\d+)?)+$/;
const POWER_OF_TEN = /^10\^\{?([-−+]?\d+)\}?$/;
const FRACTION = new RegExp(`^(?:(\\d+)[${SPACES}])?(\\d+)/(\\d+)$`);
const SCALES: Readonly<Record<string, number>> = {
  k: 1e3,
  K: 1e3,
  M: 1e6,
  mn: 1e6,
  Mio: 1e6,
  B: 1e9,
  bn: 1e9,
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  trillion: 1e12,
};
const MINUS = /[-−–]/;
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const fromSuperscript = (text: string): string =>
  [...text].map((sign) => (sign === '⁻' ? '-' : String(SUPERSCRIPTS.indexOf(sign)))).join('');

/** Turns TeX and powers of ten into plain characters, and dots for a pause and marks of bold into spaces. */
function toPlain(text: string): string {
  return text
    .replaceAll(/\\[dt]?frac\s*\{(\d+)\}\s*\{(\d+)\}/g, '$1/$2')
    .replaceAll('{,}', ',')
    .replaceAll(/(?<=\d)\\[,;!](?=\d)/g, '\u2009')
    .replaceAll(/10(⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)/g, (_whole, power: string) => `10^${fromSuperscript(power)}`)
    .replaceAll(/(?<=\d)\s?(?:[×x*·]|\\times|\\cdot)\s?10\s?\^\s?\{?([-−+]?\d+)\}?/g, 'e$1')
    .replaceAll(/\.{2,}|…|\*\*|(?<![\p{L}\p{N}_])_{1,3}(?=[\d+\-−.])|(?<=\d)_{1,3}(?![\p{L}\p{N}_])/gu, ' ');
}

type Read = Pick<ProseNumber, 'value' | 'others'>;

/** True for an IP address: four parts of at most 255. */
const isAddress = (text: string): boolean =>
  /^\d+(?:\.\d+){3}$/.test(text) && text.split('.').every((part) => Number(part) <= 255);

function readPlain(text: string): Read | null {
  const numeral = isAddress(text) ? null : readNumeral(text);
  if (numeral === null) return null;
  const { value, other, grouping, mark } = numeral;
  // A comma may also separate entries of a list, and a space may separate two numbers.
  const isLoose =
    (mark === ',' && grouping === null) || (grouping !== null && new RegExp(`[${SPACES}]`).test(grouping));
  const last = isLoose ? Number(/\d+$/.exec(text)?.[0] ?? Number.NaN) : Number.NaN;
  return { value, others: [...(other === null ? [] : [other]), ...(Number.isNaN(last) ? [] : [last])] };
}

function readFraction(text: string): Read | null {
  const [, whole = '0', above, below] = FRACTION.exec(text) ?? [];
  if (above === undefined || below === undefined || Number(below) === 0) return null;
  return { value: Number(whole) + Number(above) / Number(below), others: [] };
}

const scaled = ({ value, others }: Read, factor: number): Read => ({
  value: Number((value * factor).toPrecision(15)),
  others: [...others, value],
});

function readBody(body: string, scale: string): Read | null {
  const fraction = readFraction(body);
  if (fraction) return fraction;
  const power = POWER_OF_TEN.exec(body)?.[1];
  if (power !== undefined) return readPlain(`1e${power}`);
  const [, digits, unit = ''] = WITH_UNIT.exec(body) ?? [];
  const plain = digits === undefined ? null : readPlain(digits);
  if (plain === null) return null;
  const factor = SCALES[scale] ?? SCALES[unit];
  return factor === undefined ? plain : scaled(plain, factor);
}

const negate = ({ value, others }: Read): Read => ({
  value: value === 0 ? 0 : -value,
  others: others.map((other) => -other),
});

/** The parts of a text that is not one number: the entries of a list, or numbers with spaces between. */
function splitBody(body: string): readonly string[] {
  if (LIST.test(body)) return body.split(',');
  const parts = body.split(new RegExp(`[${SPACES}]`));
  return parts.length > 1 ? parts : [];
}

function readToken({
  sign = '',
  inner = '',
  body = '',
  scale = '',
}: Readonly<Record<string, string | undefined>>): readonly Read[] {
  const whole = readBody(body, scale.trim());
  if (whole === null) return splitBody(body).flatMap((part) => readBody(part, '') ?? []);
  if (!MINUS.test(sign + inner)) return [whole];
  const negative = negate(whole);
  // Some people write a dash for a minus, others mean only a dash.
  return [sign.startsWith('–') ? { ...negative, others: [...negative.others, whole.value] } : negative];
}

const PERCENT = /^\s?(?:\\?%|per ?cent(?!\p{L}))/iu;

interface Found extends ProseNumber {
  readonly start: number;
  readonly end: number;
}

function findIn(plain: string): readonly Found[] {
  return Array.from(plain.matchAll(TOKEN)).flatMap((match) => {
    const { groups, index } = match;
    if (groups?.['body'] === undefined || /±\s?$/.test(plain.slice(Math.max(0, index - 2), index))) return [];
    const [start, end] = [index, index + match[0].length];
    const isPercent = PERCENT.test(plain.slice(end, end + 12));
    return readToken(groups).map(({ value, others }) => ({
      value,
      others,
      text: match[0].trim(),
      isPercent,
      start,
      end,
    }));
  });
}

/** All numbers in the text, in order, without uncertainties (± 2). */
export const findNumbers = (text: string): readonly ProseNumber[] =>
  findIn(toPlain(text)).map(({ text: shown, value, others, isPercent }) => ({ text: shown, value, others, isPercent }));

/** Marks that may come before a lone number: signs of equality, quotes, brackets, TeX's dollars. */
const BEFORE = /^[\s=≈~$"'“”‘’`*(]*$/;
const UNIT_WORD = '[\\p{L}°µ][\\p{L}\\p{M}°²³./·-]*';
/**
 * What may follow a lone number: a unit, a currency or percent, as in %, kg, km/h, °C, square miles, apples per day.
 */
const AFTER = new RegExp(
  `^\\s*(?:\\\\?%|‰|\\p{Sc}|(?:(?:square|cubic|US|per) )?${UNIT_WORD}(?: per ${UNIT_WORD})?)?[\\s.$"'“”‘’\`*)]*$`,
  'u',
);
/** GSM8K's mark: the answer follows it, the reasoning comes before it. */
const FINAL = /####([^#]*)$/;

/** The number if the text is only a number, alone or with its unit; else null. */
export function readOnlyNumber(text: string): ProseNumber | null {
  const plain = toPlain((FINAL.exec(text)?.[1] ?? text).replace(/\\boxed\{([^{}]*)\}/, '$1'));
  const [only, more] = findIn(plain);
  if (only === undefined || more !== undefined) return null;
  if (!BEFORE.test(plain.slice(0, only.start)) || !AFTER.test(plain.slice(only.end))) return null;
  const { text: shown, value, others, isPercent } = only;
  return { text: shown, value, others, isPercent };
}
