// Reads a number that a person typed and steps it; says in one sentence why a text is not taken.
// Pure; it must not know which field it serves.

export interface NumberRule {
  readonly label: string;
  readonly min?: number;
  readonly max?: number;
  readonly isInteger?: boolean;
}

export type ParsedNumber =
  | { readonly ok: true; readonly value: number | undefined }
  | { readonly ok: false; readonly message: string };

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function describeRange({ min, max, isInteger }: NumberRule): string {
  const noun = isInteger ? 'a whole number' : 'a number';
  if (min !== undefined && max !== undefined && max < Number.MAX_SAFE_INTEGER) return `${noun} from ${min} to ${max}`;
  if (min !== undefined && min > Number.MIN_SAFE_INTEGER) return `${noun} of at least ${min}`;
  if (max !== undefined && max < Number.MAX_SAFE_INTEGER) return `${noun} of at most ${max}`;
  return noun;
}

/** Empty text is "not set" (undefined). A decimal comma and a typographic minus are understood. */
export function parseNumberText(text: string, rule: NumberRule): ParsedNumber {
  const typed = text.trim().replace('−', '-').replace(',', '.');
  if (typed === '') return { ok: true, value: undefined };
  const value = NUMBER.test(typed) ? Number(typed) : Number.NaN;
  const fits =
    Number.isFinite(value) &&
    (!rule.isInteger || Number.isSafeInteger(value)) &&
    value >= (rule.min ?? -Infinity) &&
    value <= (rule.max ?? Infinity);
  if (fits) return { ok: true, value: value === 0 ? 0 : value };
  const isTooBig = rule.isInteger === true && Math.abs(value) > Number.MAX_SAFE_INTEGER;
  if (isTooBig) return { ok: false, message: `${rule.label} takes at most ${Number.MAX_SAFE_INTEGER}, the largest whole number that JSON carries exactly; “${text.trim().slice(0, 24)}” was not taken.` };
  return { ok: false, message: `${rule.label} takes ${describeRange(rule)}; “${text.trim().slice(0, 24)}” was not taken.` };
}

/** One step up (1) or down (-1) from the value, inside the range and without the noise of binary fractions. */
export function stepNumber(value: number, step: number, direction: 1 | -1, rule: NumberRule): number {
  const next = Number((value + direction * step).toFixed(10));
  return Math.min(rule.max ?? Infinity, Math.max(rule.min ?? -Infinity, next));
}
