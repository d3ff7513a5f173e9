// Keeps spreadsheets from running the texts of an exported table (OWASP, CSV injection).

/** What spreadsheets run as a formula begins so. */
const RUNS = /^[=+\-@\t\r]/;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
/** A guarded text, or one that could be taken for it. */
const GUARDED = /^'+[=+\-@\t\r]/;

/**
 * The text with an apostrophe before it where a spreadsheet would run it. A plain number is no formula; what has an
 * apostrophe already gets another, so that the way back is known.
 */
export const guardText = (text: string): string =>
  (RUNS.test(text) && !NUMBER.test(text)) || GUARDED.test(text) ? `'${text}` : text;

/** The way back. */
export const unguardText = (field: string): string => (GUARDED.test(field) ? field.slice(1) : field);
