// A prompt row, and the result of reading one.
import type { ToolCall } from '#core/contract/chatMessage.ts';

export interface RowMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  /** Empty if an assistant only calls tools. */
  readonly content: string;
  readonly tool_calls?: readonly ToolCall[];
  readonly tool_call_id?: string;
}

export interface PromptRow {
  /** Place among the rows that could be read, from 1. */
  readonly number: number;
  /**
   * A chat to continue; its last message is the user's or a tool's. null: the composer's prompt is sent, filled with
   * the variables.
   */
  readonly messages: readonly RowMessage[] | null;
  readonly variables: ReadonlyMap<string, string>;
  /**
   * The expected answer: the last answer of a chat row, or the column `expected`. Tool calls are JSON with parsed
   * arguments.
   */
  readonly expected: string | null;
}

export interface RowProblem {
  /** Line of the text, from 1; 0: the problem is not in one line. */
  readonly line: number;
  /** Place in a JSON array, from 1. The lines of JSON don't help. */
  readonly entry?: number;
  readonly message: string;
}

export type RowFormat = 'json' | 'jsonl' | 'csv' | 'lines';

/** The variable that holds the prompt if a file has one prompt a line. */
export const LINE_VARIABLE = 'prompt';
/** The column that holds the expected answer by default. */
export const EXPECTED = 'expected';

export type RowDraft = Omit<PromptRow, 'number'>;
/** `note`: what was left out of a usable row. */
export type RowRead =
  | { readonly ok: true; readonly row: RowDraft; readonly note?: string }
  | { readonly ok: false; readonly message: string };

export const failRow = (message: string): { readonly ok: false; readonly message: string } => ({ ok: false, message });

export const toValueText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** A row of variables. */
export function toVariableRow(entries: readonly (readonly [string, unknown])[]): RowDraft {
  const texts = entries
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => [name.trim(), toValueText(value)] as const);
  const variables = new Map(texts.filter(([name]) => name !== ''));
  return { messages: null, variables, expected: variables.get(EXPECTED) ?? null };
}

export const toLineRow = (prompt: string): RowDraft => ({
  messages: null,
  variables: new Map([[LINE_VARIABLE, prompt]]),
  expected: null,
});
