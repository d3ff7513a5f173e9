// Measures on held-out rows: their parameters and their labels. Exports keep the parameter's name.
import { toPathName } from './extraParameters.ts';

/** Prefix of the parameter of a measure. Table and comparison share it, so that a brush means the same in both. */
export const HELD_OUT = 'held_out.';

/** The parameter of a measure: `held_out.exact_match`. `toShortName` shortens it for the address. */
export const toHeldOutId = (measure: string): string => `${HELD_OUT}${toPathName(measure)}`;

/** `held-out exact_match`. */
export const toHeldOutLabel = (measure: string): string => `held-out ${measure}`;

/**
 * The label of an extra parameter: its name on the wire, except for held-out measures.
 */
export const toParameterLabel = (name: string): string =>
  name.startsWith(HELD_OUT) ? toHeldOutLabel(name.slice(HELD_OUT.length).replaceAll(/\\([\\.[])/g, '$1')) : name;
