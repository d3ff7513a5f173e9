// A row that a person changed by hand. Pure.
import { findJsonProblem } from '#core/contract/jsonText.ts';
import { failRead, type JsonObject, type Read } from '#core/contract/readJson.ts';
import { toChatRow } from '#core/rows/readRow.ts';

/** Reads the text as a chat row, or says where it is none: line and column of the text. */
export function parseEdited(text: string): Read<JsonObject> {
  const problem = findJsonProblem(text);
  if (problem !== null) return failRead(`This is not valid JSON: ${problem}.`);
  const read = toChatRow({ number: 1, text }, 'chat');
  if (read.ok) return { ok: true, value: { ...read.row } };
  const before = text.slice(0, read.problem.column - 1).split('\n');
  const line = before.length;
  const column = (before.at(-1)?.length ?? 0) + 1;
  return failRead(`Line ${line}, column ${column}: ${read.problem.message}`);
}
