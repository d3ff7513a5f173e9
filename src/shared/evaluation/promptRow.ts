// What a prompt row is, and what reading one gives.
import type { ToolCall } from '#shared/contract/chatMessage.ts';

export interface RowMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  /** Empty where an assistant only calls tools. */
  readonly content: string;
  readonly tool_calls?: readonly ToolCall[];
  readonly tool_call_id?: string;
}

export interface PromptRow {
  /** 1-based place among the rows read. */
  readonly number: number;
  /**
   * A chat to continue, ending with the user's message or a tool's; null: the composer's prompt, filled with the
   * variables.
   */
  readonly messages: readonly RowMessage[] | null;
  readonly variables: ReadonlyMap<string, string>;
  /**
   * The answer that is hoped for: a chat row's last answer, or the column `expected`. Calls of tools are JSON with
   * parsed arguments.
   */
  readonly expected: string | null;
}

export interface RowProblem {
  /** 1-based line of the text; 0: no line of its own. */
  readonly line: number;
  /** 1-based place in a JSON array, whose lines say nothing. */
  readonly entry?: number;
  readonly message: string;
}

export type RowFormat = 'json' | 'jsonl' | 'csv' | 'lines';

/** A line per prompt: the prompt's name among the variables. */
export const LINE_VARIABLE = 'prompt';
/** The column that holds the expected answer without being chosen. */
export const EXPECTED = 'expected';

export type RowDraft = Omit<PromptRow, 'number'>;
/** `note`: what of a row that can be used is left out. */
export type RowRead =
  | { readonly ok: true; readonly row: RowDraft; readonly note?: string }
  | { readonly ok: false; readonly message: string };

export const failRow = (message: string): { readonly ok: false; readonly message: string } => ({ ok: false, message });

export const toValueText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** A row that brings variables. */
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
