// Measures on validation rows: their parameters and their labels. Exports keep the parameter's name.
import { toPathName, toShownName } from './extraParameters.ts';

/** Prefix of the parameter of a measure. Table and comparison share it, so that a brush means the same in both. */
export const HELD_OUT = 'held_out.';

/** The parameter of a measure: `held_out.exact_match`. `toShortName` shortens it for the address. */
export const toHeldOutId = (measure: string): string => `${HELD_OUT}${toPathName(measure)}`;

const HELD_OUT_BASE = 'held_out_base.';

/** The parameter of the base model's value of a measure. */
export const toBaseMeasureId = (measure: string): string => `${HELD_OUT_BASE}${toPathName(measure)}`;

export const toBaseMeasureLabel = (measure: string): string => `base ${measure}`;

/** `validation exact_match`; `validation_loss`, whose name says it. */
export const toHeldOutLabel = (measure: string): string =>
  /^(?:validation|eval)(?:_|$)/.test(measure) ? measure : `validation ${measure}`;

/**
 * The label of an extra parameter: its name on the wire, except for validation measures.
 */
export function toParameterLabel(name: string): string {
  const toName = (prefix: string): string => toShownName(name.slice(prefix.length));
  if (name.startsWith(HELD_OUT)) return toHeldOutLabel(toName(HELD_OUT));
  return name.startsWith(HELD_OUT_BASE) ? toBaseMeasureLabel(toName(HELD_OUT_BASE)) : toShownName(name);
}

/** The measure of a parameter: `exact_match` of `held_out.exact_match` and of `held_out_base.exact_match`; else its name. */
export function toMeasureName(parameter: string): string {
  const prefix = [HELD_OUT, HELD_OUT_BASE].find((each) => parameter.startsWith(each));
  return prefix === undefined ? parameter : toShownName(parameter.slice(prefix.length));
}
