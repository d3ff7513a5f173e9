// Writes CSV as RFC 4180 says.

export type CsvValue = string | number | boolean | null;

/**
 * Texts that a spreadsheet would run as a formula get a leading apostrophe (OWASP, CSV injection); numbers never do.
 */
function toField(value: CsvValue): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows joined by CRLF, with one at the end; null is an empty field. */
export function toCsv(rows: readonly (readonly CsvValue[])[]): string {
  return rows.map((row) => `${row.map(toField).join(',')}\r\n`).join('');
}
