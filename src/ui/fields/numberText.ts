// Parses and steps a typed number, and says in one sentence why a text is refused. Pure. contract/numerals defines how
// numbers are written.
import { readNumeral, type Numeral } from '#core/contract/numerals.ts';

export interface NumberRule {
  readonly label: string;
  readonly min?: number;
  readonly max?: number;
  readonly isInteger?: boolean;
}

export type ParsedNumber =
  | { readonly ok: true; readonly value: number | undefined }
  | { readonly ok: false; readonly message: string };

/** A refused text is repeated up to this length. */
const MAX_SHOWN = 24;

function describeRange({ min, max, isInteger }: NumberRule): string {
  const noun = isInteger ? 'a whole number' : 'a number';
  if (min !== undefined && max !== undefined && max < Number.MAX_SAFE_INTEGER) return `${noun} from ${min} to ${max}`;
  if (min !== undefined && min > Number.MIN_SAFE_INTEGER) return `${noun} of at least ${min}`;
  if (max !== undefined && max < Number.MAX_SAFE_INTEGER) return `${noun} of at most ${max}`;
  return noun;
}

/** A number with extra text before or after it: $5, 50%, 10 tokens. `1e` is an unfinished number. */
const WITH_UNIT = /^(?:\p{Sc}\s*\d[\d.,]*|[+\-−]?\s*\d[\d.,]*\s*(?!e$)[%‰°\p{L}\p{Sc}]+)$/iu;

/**
 * Both readings of an ambiguous text; null: there is one reading in such a field. This page writes commas between
 * thousands and a decimal point, so those two are taken.
 */
function findReadings({ value, other, mark }: Numeral, isInteger: boolean): readonly [number, number] | null {
  if (other === null) return null;
  const isUsual = isInteger ? mark === null : mark === '.';
  return isUsual ? null : [value, other];
}

const isInRange = (value: number, { min = -Infinity, max = Infinity }: NumberRule): boolean =>
  value >= min && value <= max;
const isTaken = (value: number, rule: NumberRule): boolean =>
  isInRange(value, rule) && (rule.isInteger !== true || Number.isSafeInteger(value));

/** Empty text is "not set" (undefined). A text with two readings is refused, never guessed. */
export function parseNumberText(text: string, rule: NumberRule): ParsedNumber {
  const typed = text.trim();
  if (typed === '') return { ok: true, value: undefined };
  const isInteger = rule.isInteger === true;
  const numeral = readNumeral(typed);
  const shown = `“${typed.slice(0, MAX_SHOWN)}”`;
  const refuse = (message: string): ParsedNumber => ({ ok: false, message });
  if (numeral === null) {
    const hint = WITH_UNIT.test(typed) ? ' Write the number without a unit.' : '';
    return refuse(`${rule.label} must be ${describeRange(rule)}. ${shown} was not used.${hint}`);
  }
  const readings = findReadings(numeral, isInteger);
  if (readings) {
    // Advice names only values that would be taken.
    const fitting = readings.filter((reading) => isTaken(reading, rule));
    if (fitting.length === 0) return refuse(`${rule.label} must be ${describeRange(rule)}. ${shown} was not used.`);
    const [first, second] = readings;
    return refuse(
      `${rule.label}: ${shown} can be read as ${first} or as ${second}, so it was not used. Write ` +
        `${fitting.join(' or ')}.`,
    );
  }
  const { value, mark } = numeral;
  // A decimal comma in a whole number is an unfinished or wrong grouping.
  const isWhole = Number.isSafeInteger(value) && mark !== ',';
  if ((!isInteger || isWhole) && isInRange(value, rule)) return { ok: true, value };
  const { max = Number.MAX_SAFE_INTEGER } = rule;
  if (isInteger && max >= Number.MAX_SAFE_INTEGER && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    return refuse(
      `${rule.label} must be at most ${Number.MAX_SAFE_INTEGER}, the largest whole number that JSON carries ` +
        `exactly. ${shown} was not used.`,
    );
  }
  return refuse(`${rule.label} must be ${describeRange(rule)}. ${shown} was not used.`);
}

/** One step up (1) or down (-1) from the value, within the range and without binary noise. */
export function stepNumber(value: number, step: number, direction: 1 | -1, rule: NumberRule): number {
  const next = Number((value + direction * step).toFixed(10));
  return Math.min(rule.max ?? Infinity, Math.max(rule.min ?? -Infinity, next));
}
