// A line of a file -> a row in the normal form, or what is wrong and where.
import { findJsonPlace } from '#shared/contract/jsonPlaces.ts';
import { findLineFault } from '#shared/contract/jsonText.ts';
import { isObject } from '#shared/contract/reading.ts';
import { RowNotes, type ChatRow, type RowForm } from './chatRow.ts';
import { toLineStart, type LineProblem } from './lineCutter.ts';
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
  readonly text: string;
}

const fail = ({ number, text }: Line, column: number, message: string): RowRead => ({
  ok: false,
  problem: { line: number, column, message, start: toLineStart(text) },
});

function parse(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

function failJson(line: Line): RowRead {
  const fault = findLineFault(line.text);
  if (!fault) return fail(line, 1, 'The line is nested too deeply to be read as JSON.');
  const start = line.text.trimStart();
  const isPretty = (start === '{' || start === '[') && fault.column > line.text.trimEnd().length;
  const hint = isPretty ? ' The file has its JSON on several lines; JSONL has one whole object on each line.' : '';
  return fail(line, fault.column, `The line is not valid JSON: ${fault.message}.${hint}`);
}

/** What a line is that is JSON, but no object. */
function nameOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list; JSONL has one object on each line';
  return value === null ? 'null' : `a ${typeof value === 'string' ? 'text' : typeof value}`;
}

/** Reads one line in a known form or by a mapping. Never throws. The column counts from 1, in UTF-16 units. */
export function toChatRow(line: Line, form: RowForm | RowMapping): RowRead {
  const parsed = parse(line.text);
  if (!parsed) return failJson(line);
  const { value } = parsed;
  if (!isObject(value)) return fail(line, 1, `The line is ${nameOf(value)}, but a row is an object.`);
  const notes = new RowNotes();
  const read = typeof form === 'string' ? readForm(value, form, notes) : readMapped(value, form, notes);
  if (!read.ok) {
    const place = read.path.length === 0 ? { from: 0 } : findJsonPlace(line.text, read.path);
    return fail(line, place.from + 1, read.reason);
  }
  const { isSame, leftOut } = notes;
  const text = isSame && isPlainLine(line.text) ? line.text : JSON.stringify(read.value);
  return { ok: true, row: read.value, text, isSame, leftOut };
}

export type RowTextRead =
  | Pick<Extract<RowRead, { readonly ok: true }>, 'ok' | 'text' | 'isSame'>
  | Extract<RowRead, { readonly ok: false }>;

/** `toChatRow` for those who need only the text. */
export function toRowText(line: Line, form: RowForm | RowMapping): RowTextRead {
  if (form === 'chat' && isPlainLine(line.text)) return { ok: true, text: line.text, isSame: true };
  return toChatRow(line, form);
}
