// A line of a file, or an element of its array -> a row in the normal form, or what is wrong and where.
import { findJsonPlace } from '#core/contract/jsonPlaces.ts';
import { findFault } from '#core/contract/jsonText.ts';
import { isObject, parseJson } from '#core/contract/readJson.ts';
import { RowNotes, type ChatRow, type RowForm } from './chatRow.ts';
import { toElementProblem, toLineStart, type LineProblem } from './lineText.ts';
import { isPlainLine } from './plainLine.ts';
import { readForm } from './rowForms.ts';
import { readMapped, type RowMapping } from './rowMapping.ts';

export type RowRead =
  | {
      readonly ok: true;
      readonly row: ChatRow;
      /** The row as JSON: its normal form, of which hashes are made. */
      readonly text: string;
      /** The line says the same as `text`, apart from white space, the order of names and nulls. */
      readonly isSame: boolean;
      /** Fields of the line that the normal form has no place for. */
      readonly leftOut: readonly string[];
    }
  | { readonly ok: false; readonly problem: LineProblem };

interface Line {
  readonly number: number;
  /** Only of an element of a JSON array: where it begins. */
  readonly column?: number | undefined;
  readonly text: string;
}

const nounOf = ({ column }: Line): 'line' | 'element' => (column === undefined ? 'line' : 'element');

/** `at`: what is wrong, in the text. */
function fail({ number, column, text }: Line, at: number, message: string): RowRead {
  const problem =
    column === undefined
      ? { line: number, column: at + 1, message, start: toLineStart(text) }
      : toElementProblem({ number, column, text }, text.slice(0, at), message);
  return { ok: false, problem };
}

function failJson(line: Line): RowRead {
  const fault = findFault(line.text);
  const noun = nounOf(line);
  if (!fault) return fail(line, 0, `The ${noun} is nested too deeply to be read as JSON.`);
  const start = line.text.trimStart();
  const isPretty = noun === 'line' && (start === '{' || start === '[') && fault.offset >= line.text.trimEnd().length;
  const hint = isPretty ? ' The file has its JSON on several lines; JSONL has one whole object on each line.' : '';
  const isNumber = /^-?(NaN|Infinity)\b/.test(line.text.slice(fault.offset));
  const nan = isNumber ? ' Python writes NaN where a table has no value: write null, as to_json of pandas does.' : '';
  return fail(line, fault.offset, `The ${noun} is not valid JSON: ${fault.message}.${hint}${nan}`);
}

/** What a line is that is JSON, but no object. */
function nameOf(value: unknown, noun: 'line' | 'element'): string {
  if (Array.isArray(value)) return noun === 'line' ? 'a list; JSONL has one object on each line' : 'a list';
  return value === null ? 'null' : `a ${typeof value === 'string' ? 'text' : typeof value}`;
}

/**
 * Reads one line or element in a known form or by a mapping. Never throws. The column counts from 1, in UTF-16 units.
 */
export function toChatRow(line: Line, form: RowForm | RowMapping): RowRead {
  const value = parseJson(line.text);
  if (value === undefined) return failJson(line);
  if (!isObject(value))
    return fail(line, 0, `The ${nounOf(line)} is ${nameOf(value, nounOf(line))}, but a row is an object.`);
  const notes = new RowNotes();
  if (form === 'chat' || form === 'mixed') notes.source = line.text;
  const read = typeof form === 'string' ? readForm(value, form, notes) : readMapped(value, form, notes);
  if (!read.ok) {
    const place = read.path.length === 0 ? { from: 0 } : findJsonPlace(line.text, read.path);
    return fail(line, place.from, read.reason);
  }
  const { isSame, leftOut } = notes;
  return { ok: true, row: read.value, text: JSON.stringify(read.value), isSame, leftOut };
}

export type RowTextRead =
  | Pick<Extract<RowRead, { readonly ok: true }>, 'ok' | 'text' | 'isSame'>
  | Extract<RowRead, { readonly ok: false }>;

/** `toChatRow` for those who need only the text. */
export function toRowText(line: Line, form: RowForm | RowMapping): RowTextRead {
  if (form === 'chat' && isPlainLine(line.text)) return { ok: true, text: line.text, isSame: true };
  return toChatRow(line, form);
}
