// Writes CSV as RFC 4180 says.
import { guardText } from '#core/contract/csvGuard.ts';

export type CsvValue = string | number | boolean | null;

function toField(value: CsvValue): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const safe = guardText(value);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Each row ends with CRLF; null is an empty field. */
export function toCsv(rows: readonly (readonly CsvValue[])[]): string {
  return rows.map((row) => `${row.map(toField).join(',')}\r\n`).join('');
}
