// Keeps spreadsheets from running texts of an exported table as formulas (OWASP, CSV injection).

/** Spreadsheets run a text that starts like this as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
/** A guarded text, or a text that looks like one. */
const GUARDED = /^'+[=+\-@\t\r]/;

/**
 * Puts an apostrophe before a text that a spreadsheet would run. A plain number is not a formula. A text that already
 * looks guarded gets another apostrophe, so that unguardText restores it.
 */
export const guardText = (text: string): string =>
  (FORMULA.test(text) && !NUMBER.test(text)) || GUARDED.test(text) ? `'${text}` : text;

/** Undoes guardText. */
export const unguardText = (field: string): string => (GUARDED.test(field) ? field.slice(1) : field);
