// Grammars for the string formats of JSON schema (2020-12, section 7.3), without the quotes around them.
import type { StringFormat } from '#core/schema/schemaNode.ts';

/** Months by their length. 29 February only in leap years, so that every date exists. */
const DATE = [
  '[0-9]{4} "-" (("0" [13578] | "1" [02]) "-" ("0" [1-9] | [12] [0-9] | "3" [01])',
  '("0" [469] | "11") "-" ("0" [1-9] | [12] [0-9] | "30")',
  '"02-" ("0" [1-9] | "1" [0-9] | "2" [0-8]))',
  '[0-9]{2} ("0" [48] | [2468] [048] | [13579] [26]) "-02-29"',
].join(' | ');
const CLOCK = '([01] [0-9] | "2" [0-3]) ":" [0-5] [0-9]';
const TIME = `${CLOCK} ":" [0-5] [0-9] ("." [0-9]{1,6})? ("Z" | [-+] ${CLOCK})`;
const LABEL = '[a-zA-Z0-9] ([-a-zA-Z0-9]{0,30} [a-zA-Z0-9])?';
const HOST = `${LABEL} ("." ${LABEL}){0,5}`;
const BYTE = '("25" [0-5] | "2" [0-4] [0-9] | "1" [0-9]{2} | [1-9] [0-9] | [0-9])';
const ATOM = '[-a-zA-Z0-9_+]{1,40}';
const HEX = '[0-9a-f]';

const FORMATS: Readonly<Record<StringFormat, string>> = {
  date: DATE,
  time: TIME,
  'date-time': `(${DATE}) "T" ${TIME}`,
  uuid: `${HEX}{8} "-" ${HEX}{4} "-" ${HEX}{4} "-" ${HEX}{4} "-" ${HEX}{12}`,
  email: `${ATOM} ("." ${ATOM}){0,3} "@" ${LABEL} ("." ${LABEL}){0,3} "." [a-z]{2,10}`,
  ipv4: `${BYTE} ("." ${BYTE}){3}`,
  hostname: HOST,
  uri:
    `("https" | "http") "://" ${HOST} (":" [1-9] [0-9]{0,3})? ("/" [-a-zA-Z0-9._~]{0,64}){0,8} ("?" ` +
    '[-a-zA-Z0-9._~=&]{0,128})? ("#" [-a-zA-Z0-9._~]{0,64})?',
};

export function toFormatRule(format: StringFormat): string {
  return FORMATS[format];
}
