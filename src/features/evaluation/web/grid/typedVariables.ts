// Finds rows whose text contains `{{name}}`. A row's text is data, often written by others, so it is never filled. The
// page warns before the run. Pure.
import { findVariables } from '#features/evaluation/shared/template.ts';
import type { PromptRow } from '#features/evaluation/shared/promptRow.ts';
import { formatCounted } from '#ui/kit/format.ts';
import type { GridSetup } from './gridBook.ts';

export interface TypedVariables {
  /** Number of rows whose text contains a variable. */
  readonly rows: number;
  /** The prompt of all rows, if all are equal: it can become the grid's prompt. */
  readonly template: string | null;
}

const holdsVariable = (text: string): boolean => text.includes('{{') && findVariables([text]).length > 0;

function findRowTexts({ messages, variables }: PromptRow, used: readonly string[]): readonly string[] {
  const texts = [...(messages ?? []).map(({ content }) => content), ...used.map((name) => variables.get(name) ?? '')];
  return texts.filter(holdsVariable);
}

/** `systems`: the columns' system prompts, which a row's values may fill. */
export function findTypedVariables(
  rows: readonly PromptRow[],
  prompt: string,
  systems: readonly string[] = [],
): TypedVariables {
  const ofChats = findVariables(systems);
  const ofPrompts = findVariables([prompt, ...systems]);
  const isWhole = ofPrompts.length === 1 && /^\s*\{\{[^{}]*\}\}\s*$/.test(prompt);
  const texts = new Set<string>();
  let found = 0;
  for (const row of rows) {
    const typed = findRowTexts(row, row.messages === null ? ofPrompts : ofChats);
    if (typed.length === 0) continue;
    found += 1;
    if (texts.size < 2) for (const text of typed) texts.add(text);
  }
  const [only = null] = texts;
  const isShared = texts.size === 1 && found === rows.length && rows.every(({ messages }) => messages === null);
  return { rows: found, template: isWhole && isShared ? only : null };
}

const known = new WeakMap<GridSetup, TypedVariables>();

/** The result for a grid's setup. Cached, because a setup never changes in place. */
export function findSetupTyped(setup: GridSetup): TypedVariables {
  const last = known.get(setup);
  if (last) return last;
  const systems = setup.columns.flatMap(({ request }) => request.messages.map(({ content }) => content ?? ''));
  const found = findTypedVariables(setup.rows, setup.prompt, systems);
  known.set(setup, found);
  return found;
}

/** "3 prompts hold {{…}}, which is sent as typed. …" and how to have it filled; null: there are none. */
export function toTypedText({ rows }: TypedVariables): string | null {
  if (rows === 0) return null;
  const verb = rows === 1 ? 'holds' : 'hold';
  return (
    `${formatCounted(rows, 'prompt')} ${verb} {{…}}, which is sent as typed: text of rows is never filled. To fill ` +
    'it, write the template in the Prompt field of the grid and read the values as columns.'
  );
}
