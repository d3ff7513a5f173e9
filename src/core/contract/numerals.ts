// One number as people and models write it: grouping, both decimal marks, both minus signs, exponents. Pure.

export interface Numeral {
  readonly value: number;
  /**
   * The value by the other convention of marks: `1,234` is 1234 or 1.234, `1.234` is 1.234 or 1234. null: there is only
   * one reading.
   */
  readonly other: number | null;
  /** The mark between thousands, or null. */
  readonly grouping: string | null;
  /** The decimal mark, or null. */
  readonly mark: '.' | ',' | null;
}

/** Marks between thousands: comma, point, spaces (plain, no-break, thin, narrow), apostrophes, underscore. */
const GROUPED = /^([1-9]\d{0,2})([,.'’_ \u00A0\u2009\u202F])(\d{3}(?:\2\d{3})*)(?:([.,])(\d*))?$/;
/** Lakh and crore: 12,34,567. */
const INDIAN = /^([1-9]\d?(?:,\d{2})+,\d{3})(?:\.(\d*))?$/;
const PLAIN = /^(\d*)(?:([.,])(\d*))?$/;
const EXPONENT = /^(.+?)[eE]([+\-−]?\d+)$/;

const isMark = (text: string | undefined): text is '.' | ',' => text === '.' || text === ',';
const toDigits = (text: string): string => text.replaceAll(/\D/g, '');

interface Parts {
  readonly whole: string;
  readonly fraction: string;
  readonly grouping: string | null;
  readonly mark: '.' | ',' | null;
  /** The other reading, as JavaScript writes it. */
  readonly other: string | null;
}

function splitGrouped(text: string): Parts | null {
  const indian = INDIAN.exec(text);
  if (indian)
    return {
      whole: toDigits(indian[1] ?? ''),
      fraction: indian[2] ?? '',
      grouping: ',',
      mark: indian[2] === undefined ? null : '.',
      other: null,
    };
  const [, first = '', grouping = '', rest = '', mark, fraction = ''] = GROUPED.exec(text) ?? [];
  if (first === '' || mark === grouping) return null;
  const whole = `${first}${toDigits(rest)}`;
  const isSingle = isMark(grouping) && rest.length === 3 && mark === undefined;
  // A single point before three digits is read as a decimal mark first: programs write it so.
  if (isSingle && grouping === '.') return { whole: first, fraction: rest, grouping: null, mark: '.', other: whole };
  return { whole, fraction, grouping, mark: isMark(mark) ? mark : null, other: isSingle ? `${first}.${rest}` : null };
}

function splitPlain(text: string): Parts | null {
  const [, whole, mark, fraction = ''] = PLAIN.exec(text) ?? [];
  if (whole === undefined || whole + fraction === '') return null;
  return { whole, fraction, grouping: null, mark: isMark(mark) ? mark : null, other: null };
}

/**
 * Reads the whole text as one number; null if it isn't one, or its marks make no sense. `1,5` is 1.5, `1.234,5` and
 * `1,234.5` are 1234.5, `1,234` is 1234 with another reading. White space around the number and between sign and digits
 * is ignored.
 */
export function readNumeral(text: string): Numeral | null {
  const [, sign = '', size = ''] = /^([+\-−]?)\s*(.*)$/s.exec(text.trim()) ?? [];
  const [, before, exponent] = EXPONENT.exec(size) ?? [];
  const parts = splitGrouped(before ?? size) ?? splitPlain(before ?? size);
  if (parts === null) return null;
  const { whole, fraction, grouping, mark, other } = parts;
  const toValue = (digits: string): number => {
    const value = Number(`${digits}e${(exponent ?? '0').replace('−', '-')}`) * (sign === '' || sign === '+' ? 1 : -1);
    // No negative zero: it would look like 0 but compare as another value.
    return value === 0 ? 0 : value;
  };
  const value = toValue(`${whole || '0'}.${fraction || '0'}`);
  return Number.isFinite(value) ? { value, other: other === null ? null : toValue(other), grouping, mark } : null;
}
