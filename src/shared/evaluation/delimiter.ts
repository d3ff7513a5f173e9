// Whether a text is a table with separators and a header, and by what its fields are separated. On the safe side: prose
// with commas is none, since its first line would be lost as a header.
import Papa from 'papaparse';

/** So much of a text says what it is. */
const MAX_SAMPLE = 128_000;
const MAX_RECORDS = 200;
const DELIMITERS = ['\t', ',', ';'] as const;
/** A character of no text: where there is but one column nothing is to be split. */
const NONE = Papa.UNIT_SEP;
const MAX_NAME = 40;
const MAX_WORDS = 4;
/**
 * The share of records that have as many fields as the header, at least; what is surely meant as a header needs less.
 */
const ENOUGH = 0.8;
const ENOUGH_OF_IDENTIFIERS = 0.5;

/** Names that tables of prompts use; case, spaces and what stands before or behind `_` don't matter. */
const KNOWN =
  /^(?:\w+_)?(?:id|prompts?|questions?|quer(?:y|ies)|instructions?|inputs?|texts?|messages?|user|system|expected|answers?|labels?|outputs?|completions?|targets?|references?|responses?|category|class)(?:_\w+)?$/i;
const ONLY_COLUMN = /^(?:prompts?|questions?|quer(?:y|ies)|instructions?|inputs?|texts?|messages?|user)$/i;
const IDENTIFIER = /^[\p{L}_][\p{L}\p{N}_.-]*$/u;

const isKnown = (name: string): boolean => name.split(/\s+/).length <= 2 && KNOWN.test(name.replaceAll(/[\s-]+/g, '_'));
const isNumber = (name: string): boolean => Number.isFinite(Number(name.replace(',', '.')));

/** Short, no sentence, no number: what people call a column. */
function isName(name: string): boolean {
  return (
    name !== '' &&
    name.length <= MAX_NAME &&
    name.split(/\s+/).length <= MAX_WORDS &&
    !/[.!?:…。？！]["'”’)]?$/.test(name) &&
    !/["\n{}<>]/.test(name) &&
    !isNumber(name)
  );
}

function readSample(text: string, delimiter: string): readonly (readonly string[])[] {
  const isCut = text.length > MAX_SAMPLE;
  const { data } = Papa.parse<string[]>(isCut ? text.slice(0, MAX_SAMPLE) : text, { delimiter, preview: MAX_RECORDS });
  const whole = isCut && data.length < MAX_RECORDS ? data.slice(0, -1) : data;
  return whole.filter((fields) => fields.some((field) => field.trim() !== ''));
}

function isTable(
  [header = [], ...records]: readonly (readonly string[])[],
  delimiter: string,
  firstLine: string,
): boolean {
  const names = header.map((name) => name.trim());
  if (names.length < 2 || records.length === 0) return false;
  // An index column has no name.
  const named = names[0] === '' && names.length > 2 ? names.slice(1) : names;
  const agreeing = records.filter((fields) => fields.length === names.length).length / records.length;
  // Tables leave empty fields at the end out.
  const fitting = records.filter(({ length }) => length > 1 && length <= names.length).length / records.length;
  const areKnown = named.every(isKnown);
  const areIdentifiers = named.every((name) => IDENTIFIER.test(name)) && named.some(isKnown);
  // In prose a space follows: `Hello, Bye` is no header without a name that tables have, `Hi user, bye` none with but
  // one.
  const isSpaced =
    delimiter !== '\t' &&
    firstLine
      .split(delimiter)
      .slice(1)
      .every((part) => /^\s/.test(part));
  if (!isSpaced && areIdentifiers && (areKnown || fitting >= ENOUGH_OF_IDENTIFIERS)) return true;
  if (!named.every(isName) || new Set(named.map((name) => name.toLowerCase())).size < named.length) return false;
  return (!isSpaced || areKnown || areIdentifiers) && agreeing >= ENOUGH;
}

/** What separates the fields of a table with a header; null: the text is hardly one. */
export function findDelimiter(text: string): string | null {
  const bare = text.replace(/^\uFEFF/, '').trimStart();
  const [firstLine = '', second] = bare
    .slice(0, MAX_SAMPLE)
    .trimEnd()
    .split(/\r\n|\r|\n/, 2);
  if (second === undefined) return null;
  if (ONLY_COLUMN.test(firstLine.trim().replace(/^"(.*)"$/, '$1'))) return NONE;
  return (
    DELIMITERS.find(
      (delimiter) => firstLine.includes(delimiter) && isTable(readSample(bare, delimiter), delimiter, firstLine),
    ) ?? null
  );
}
