// Measures on validation rows: their parameters and their labels. Exports keep the parameter's name.
import { toPathName, toShownName } from './extraParameters.ts';
import { toFieldLabel } from './fieldLabels.ts';
import { findMeasure } from './measures.ts';

/** Prefix of the parameter of a measure. Table and comparison share it, so that a brush means the same in both. */
export const HELD_OUT = 'held_out.';

/** The parameter of a measure: `held_out.exact_match`. `toShortName` shortens it for the address. */
export const toHeldOutId = (measure: string): string => `${HELD_OUT}${toPathName(measure)}`;

const toCapitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const HELD_OUT_BASE = 'held_out_base.';

/** The parameter of the base model's value of a measure. */
export const toBaseMeasureId = (measure: string): string => `${HELD_OUT_BASE}${toPathName(measure)}`;

/** `Base exact match`; of a measure that only its service knows, the name as it is sent: `Base pass_rate`. */
export const toBaseMeasureLabel = (measure: string): string => `Base ${findMeasure(measure)?.label ?? measure}`;

/** `Exact match`; of a measure that only its service knows: `Validation pass_rate`, but `eval_bleu`, whose name says it. */
export function toHeldOutLabel(measure: string): string {
  const known = findMeasure(measure)?.label;
  if (known !== undefined) return toCapitalized(known);
  return /^(?:validation|eval)(?:_|$)/.test(measure) ? measure : `Validation ${measure}`;
}

/** The label of a parameter, which may be a measure on validation rows. `isRate`: as `toFieldLabel` takes it. */
export function toParameterLabel(name: string, isRate = false): string {
  const toName = (prefix: string): string => toShownName(name.slice(prefix.length));
  if (name.startsWith(HELD_OUT)) return toHeldOutLabel(toName(HELD_OUT));
  return name.startsWith(HELD_OUT_BASE) ? toBaseMeasureLabel(toName(HELD_OUT_BASE)) : toFieldLabel(name, isRate);
}

/** The measure of a parameter: `exact_match` of `held_out.exact_match` and of `held_out_base.exact_match`; else its name. */
export function toMeasureName(parameter: string): string {
  const prefix = [HELD_OUT, HELD_OUT_BASE].find((each) => parameter.startsWith(each));
  return prefix === undefined ? parameter : toShownName(parameter.slice(prefix.length));
}
