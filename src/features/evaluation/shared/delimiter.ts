// Decides whether a text is a table with a header, and finds its delimiter. In doubt it is not a table: the first line
// of prose with commas would be lost as a header.
import Papa from 'papaparse';

/** How many characters and records of a text are examined. */
const MAX_SAMPLE = 128_000;
const MAX_RECORDS = 200;
const DELIMITERS = ['\t', ',', ';'] as const;
/** A character that occurs in no text: a table with one column must not be split. */
const NONE = Papa.UNIT_SEP;
const MAX_NAME = 40;
const MAX_WORDS = 4;
/** The least share of records with as many fields as the header. A header of identifiers is surer and needs less. */
const ENOUGH = 0.8;
const ENOUGH_OF_IDENTIFIERS = 0.5;

/** Column names of prompt tables. Case and spaces don't matter, and a name may have more words, joined by `_`. */
const KNOWN =
  /^(?:\w+_)?(?:id|prompts?|questions?|quer(?:y|ies)|instructions?|inputs?|texts?|messages?|user|system|expected|answers?|labels?|outputs?|completions?|targets?|references?|responses?|category|class)(?:_\w+)?$/i;
const ONLY_COLUMN = /^(?:prompts?|questions?|quer(?:y|ies)|instructions?|inputs?|texts?|messages?|user)$/i;
const IDENTIFIER = /^[\p{L}_][\p{L}\p{N}_.-]*$/u;

const isKnown = (name: string): boolean => name.split(/\s+/).length <= 2 && KNOWN.test(name.replaceAll(/[\s-]+/g, '_'));
const isNumber = (name: string): boolean => Number.isFinite(Number(name.replace(',', '.')));

/** True for a text that can be a column's name: short, not a sentence, not a number. */
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
  // Some tables omit empty fields at the end of a record.
  const fitting = records.filter(({ length }) => length > 1 && length <= names.length).length / records.length;
  const areKnown = named.every(isKnown);
  const areIdentifiers = named.every((name) => IDENTIFIER.test(name)) && named.some(isKnown);
  // In prose a space follows the comma: `Hello, Bye` is not a header because no name in it is known, `Hi user, bye` is
  // not because only one is.
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

/** The delimiter of a table with a header; null if the text probably isn't one. */
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
