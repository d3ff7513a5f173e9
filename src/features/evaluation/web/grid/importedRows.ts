// Imported rows with their columns assigned: which is the prompt, and which the expected answer. Pure.
import type { PromptRow } from '#features/evaluation/shared/promptRow.ts';
import { assignExpected, guessExpected, toColumnNames } from '#features/evaluation/shared/rowColumns.ts';
import { findVariables } from '#features/evaluation/shared/template.ts';
import { toFittingPrompt } from './gridSetup.ts';

/** What a person has chosen. It counts as long as the rows have that column. */
export interface ColumnChoice {
  /** The column of the expected answer; null: none of them; absent: not chosen. */
  readonly expected?: string | null;
  /** A column in braces; absent: not chosen. */
  readonly prompt?: string;
}

export interface ImportedRows {
  readonly rows: readonly PromptRow[];
  /** Names of the text columns. Chats have none. */
  readonly columns: readonly string[];
  /** The column of the expected answer; null: none. */
  readonly expected: string | null;
  /** The prompt that fits the rows: one column, or a text with several. */
  readonly fitting: string;
  /** The chosen prompt, or else the fitting one. */
  readonly prompt: string;
}

/**
 * `draft`: the text of the composer; `gridPrompt`: the prompt of the grid. A column that they use is not taken for the
 * expected answer unless a person chooses it.
 */
export function toImportedRows(
  read: readonly PromptRow[],
  choice: ColumnChoice,
  draft: string,
  gridPrompt: string,
): ImportedRows {
  const columns = toColumnNames(read);
  const { expected: chosen } = choice;
  const expected =
    chosen === null || (chosen !== undefined && columns.includes(chosen))
      ? chosen
      : guessExpected(columns, findVariables([draft, gridPrompt]));
  const rows = columns.length === 0 ? read : assignExpected(read, expected);
  const fitting = toFittingPrompt(rows, draft);
  const prompts = columns.filter((name) => name !== expected).map((name) => `{{${name}}}`);
  return { rows, columns, expected, fitting, prompt: prompts.find((prompt) => prompt === choice.prompt) ?? fitting };
}
