// Finds the column of the expected answer. Chat rows have their own. Pure.
import type { PromptRow } from './promptRow.ts';
import { isToolColumn } from './rowTools.ts';

/** Names of columns with the expected answer, the likeliest first. Case and spaces don't matter. */
export const EXPECTED_NAMES = [
  'expected',
  'expected_*',
  'answer',
  'label',
  'output',
  'completion',
  'target',
  'reference',
] as const;

const isExpectedName = (name: string, known: string): boolean => {
  const plain = name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  return known.endsWith('*') ? plain.startsWith(known.slice(0, -1)) : plain === known;
};

/**
 * Names of the text columns of rows that are not chats, in order of their first occurrence. A column of tools is not
 * text.
 */
export function toColumnNames(rows: readonly PromptRow[]): readonly string[] {
  const names = new Set<string>();
  const plain = rows.filter(({ messages }) => messages === null);
  for (const { variables } of plain) for (const name of variables.keys()) names.add(name);
  return [...names].filter((name) => !isToolColumn(name, plain));
}

/**
 * The column that most likely holds the expected answer, else null. Columns that prompts use (`used`) don't count, nor
 * does a single column, which may be the question.
 */
export function guessExpected(names: readonly string[], used: readonly string[] = []): string | null {
  if (names.length < 2) return names.find((name) => name === EXPECTED_NAMES[0]) ?? null;
  for (const known of EXPECTED_NAMES) {
    const found = names.find((name) => isExpectedName(name, known) && !used.includes(name));
    if (found !== undefined) return found;
  }
  return null;
}

/** Moves `column` from the variables to the expected answers. null: rows have no expected answers. */
export function assignExpected(rows: readonly PromptRow[], column: string | null): readonly PromptRow[] {
  return rows.map((row) => {
    if (row.messages !== null) return row;
    if (column === null) return row.expected === null ? row : { ...row, expected: null };
    const variables = new Map([...row.variables].filter(([name]) => name !== column));
    return { ...row, variables, expected: row.variables.get(column) ?? null };
  });
}
