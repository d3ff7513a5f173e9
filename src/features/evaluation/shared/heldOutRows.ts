// The validation rows of a snapshot as rows of prompts. Pure.
import { parseRows, type ReadRows } from './promptRows.ts';
import type { PromptRow } from './promptRow.ts';
import { parseToolCalls, toExpectedJson } from './toolCalls.ts';

const TAGGED_CALL = /^\s*<tool_call>/;

/** Calls that a chat template wrote into the text, in the form of expected answers. */
function withListedCalls(row: PromptRow): PromptRow {
  if (row.expected === null || !TAGGED_CALL.test(row.expected)) return row;
  const calls = parseToolCalls(row.expected);
  return calls.ok ? { ...row, expected: toExpectedJson(calls.value) } : row;
}

/** Reads chat rows, each as JSON text. The last answer of a row is its expected answer. */
export function toHeldOutRows(lines: readonly string[]): ReadRows {
  const read = parseRows(lines.join('\n'), 'jsonl');
  return { ...read, rows: read.rows.map(withListedCalls) };
}
