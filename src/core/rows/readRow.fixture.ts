// For tests: rows as they are read from values, and the messages that most tests need.
import type { ChatRow, RowForm } from './chatRow.ts';
import { toChatRow, type RowRead } from './readRow.ts';

export const read = (value: unknown, form: RowForm = 'chat'): RowRead =>
  toChatRow({ number: 7, text: typeof value === 'string' ? value : JSON.stringify(value) }, form);
export function rowOf(value: unknown, form: RowForm = 'chat'): ChatRow {
  const result = read(value, form);
  if (!result.ok) throw new Error(result.problem.message);
  return result.row;
}
export function problemOf(value: unknown, form: RowForm = 'chat'): { column: number; message: string; line: number } {
  const result = read(value, form);
  if (result.ok) throw new Error('It is a row.');
  return result.problem;
}
export const user = { role: 'user', content: 'Hi' };
export const assistant = { role: 'assistant', content: 'Hello' };
export const tool = { type: 'function', function: { name: 'get_order', parameters: { type: 'object' } } };
export const call = { id: 'c1', type: 'function', function: { name: 'get_order', arguments: '{"id": 7}' } };
