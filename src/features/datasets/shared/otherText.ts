// Recognises text that is no JSON by its first lines, such as CSV, and says what to do with it. Pure.
import { isObject, parseJson } from '#core/contract/readJson.ts';
import { MADE, toFileCommand, type ToCommand } from '#core/rows/fileCommands.ts';
import { READS, toNoText, type OtherFile } from '#core/rows/fileEncoding.ts';

const MAX_LINES = 200;
/** Names of columns, as most tables have them; a sentence has others. */
const NAME = /^[\p{L}\p{N}_ .:/()#-]{1,60}$/u;
const START_CHARACTERS = 60;
/** Of a line that may have megabytes. */
const LOOKED_AT = 1000;
/** Control characters that texts have too; escapes are those of colours. */
const TEXT_CONTROLS = '\t\n\v\f\r\u001b';

const SEPARATORS: readonly { readonly mark: string; readonly form: string; readonly option: string }[] = [
  { mark: ',', form: 'CSV', option: '' },
  { mark: '\t', form: 'TSV (CSV with tabs)', option: ', delimiter="\\t"' },
  { mark: ';', form: 'CSV with semicolons', option: ', delimiter=";"' },
];

/** Reads a table from standard input by the names in its first line, and writes JSONL. */
const toTableCommand = (option: string): ToCommand =>
  toFileCommand(
    'data.csv',
    MADE.jsonl,
    (file, made) =>
      `python3 -c 'import csv,json,sys; [print(json.dumps(r)) for r in csv.DictReader(sys.stdin${option})]' ` +
      `< ${file} > ${made}`,
  );

/** The names of columns in a line; null: it is no head of a table. */
function toNames(line: string, mark: string): string[] | null {
  const names = line.split(mark).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
  // The first column of an index often has no name.
  const isHead = names.length > 1 && names.every((name, at) => NAME.test(name) || (at === 0 && name === ''));
  return isHead ? names : null;
}

function findTable(first: string, second: string | undefined): OtherFile | null {
  for (const { mark, form, option } of SEPARATORS) {
    const names = toNames(first, mark);
    // A cell in quotes may go on in the next line.
    const isTable =
      names && (second === undefined || second.includes('"') || second.split(mark).length >= names.length);
    if (!isTable) continue;
    const columns = names.filter((name) => name !== '').slice(0, 5);
    const reason = `The file looks like ${form} with the columns ${columns.join(', ')}. ${READS} Convert it.`;
    return { reason, toCommand: toTableCommand(option) };
  }
  return null;
}

/** A control character that no text has. */
const findBinary = (texts: readonly string[]): string | undefined =>
  texts
    .flatMap((text) => text.slice(0, LOOKED_AT).split(''))
    .find((mark) => mark < ' ' && !TEXT_CONTROLS.includes(mark));

/**
 * What a file is that has no JSON, and what to do; null: it has some, or is meant to. `texts`: its first lines; at most
 * 200 are looked at.
 */
export function findOtherText(texts: readonly string[]): OtherFile | null {
  const [first, second] = texts;
  if (first === undefined || /^\s*[[{]/.test(first) || parseJson(first) !== undefined) return null;
  if (texts.slice(0, MAX_LINES).some((text) => text.includes('{') && isObject(parseJson(text)))) return null;
  const table = findTable(first, second);
  if (table) return table;
  const binary = findBinary(texts.slice(0, MAX_LINES));
  if (binary !== undefined) {
    const byte = binary.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0');
    return toNoText(`has the byte 0x${byte}, which no text has`);
  }
  const start = JSON.stringify(first.trim().slice(0, START_CHARACTERS));
  const reason = `The file has no JSON: its text begins with ${start}. ${READS} Export its rows in one of these forms.`;
  return { reason, toCommand: null };
}
