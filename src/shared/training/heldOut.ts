// Measures on held-out rows: which parameter each is, and what people read. Exports keep the parameter's own name.
import { toPathName } from './extraParameters.ts';

/** Begins the parameter of a measure: the same in table and compare, so that one brush means the same in both. */
export const HELD_OUT = 'held_out.';

/** The parameter of a measure: `held_out.exact_match`; the address has it as `toShortName` writes it. */
export const toHeldOutId = (measure: string): string => `${HELD_OUT}${toPathName(measure)}`;

/** `held-out exact_match`. */
export const toHeldOutLabel = (measure: string): string => `held-out ${measure}`;

/**
 * What a parameter beyond those of SPEC is called where people read it; all but these measures by the wire's own name.
 */
export const toParameterLabel = (name: string): string =>
  name.startsWith(HELD_OUT) ? toHeldOutLabel(name.slice(HELD_OUT.length).replaceAll(/\\([\\.[])/g, '$1')) : name;
