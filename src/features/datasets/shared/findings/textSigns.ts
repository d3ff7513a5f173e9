// What a text has that keys, numbers of persons and marks need: one look at each character says no to nearly all texts. Pure.

/** run: many signs without a space, as keys have them. assigned: a digit, and a sign after which a value stands. */
export const SIGNS = { run: 1, assigned: 2, at: 4, digits: 8, bracket: 16 } as const;

const RUN = 16;
/** No number of a person has fewer. */
const DIGITS = 7;

/** The bits of SIGNS that a text has. */
export function toSigns(text: string): number {
  let signs = 0;
  let run = 0;
  let digits = 0;
  let isAssigned = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= 32) {
      run = 0;
      continue;
    }
    run += 1;
    if (run === RUN) signs |= SIGNS.run;
    if (code > 64) {
      if (code === 91) signs |= SIGNS.bracket;
    } else if (code === 64) signs |= SIGNS.at;
    else if (code >= 48 && code < 58) digits += 1;
    else if (code === 60) signs |= SIGNS.bracket;
    else if (code === 58 || code === 61) isAssigned = true;
  }
  if (digits >= DIGITS) signs |= SIGNS.digits;
  if (digits > 0 && isAssigned) signs |= SIGNS.assigned;
  return signs;
}
