// The header of an exported grid: the export writes it, and parseRows recognizes it. Pure.
import { unguardText } from '#core/contract/csvGuard.ts';

/** The columns of an answer, after its text. */
export const CSV_FACTS = [
  'state',
  'check',
  'reason',
  'finish_reason',
  'prompt_tokens',
  'completion_tokens',
  'ms',
  'asked_at',
  'tool_calls',
  'sampling',
] as const;
/** Those of files from before the last one. */
const OLDER_FACTS = CSV_FACTS.slice(0, -1);

const FIRST = ['row', 'messages'] as const;
const LAST = ['rendered prompt', 'expected'] as const;

/** The header of an exported grid. `variables`: of its rows; `columns`: one name for each answer of a row. */
export const toGridHeader = (
  variables: readonly string[],
  columns: readonly string[],
  facts: readonly string[] = CSV_FACTS,
): readonly string[] => [
  ...FIRST,
  ...variables,
  ...LAST,
  ...columns.flatMap((name) => [name, ...facts.map((fact) => `${name}: ${fact}`)]),
];

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name, at) => name === b[at]);

/**
 * True if only this studio can have written the header: it has at least one answer, and all names are in place.
 */
function isGridHeader(header: readonly string[], facts: readonly string[]): boolean {
  const width = facts.length + 1;
  const isWhole = (end: number): boolean => {
    const columns = header.slice(end).filter((_, at) => at % width === 0);
    return (
      columns.length > 0 && isSame(header, toGridHeader(header.slice(FIRST.length, end - LAST.length), columns, facts))
    );
  };
  return header.some((name, at) => name === LAST[1] && isWhole(at + 1));
}

/** Undoes the guard against formulas in fields of an exported grid. Fields of other files stay unchanged. */
export function openUnguard(header: readonly string[]): (field: string) => string {
  // The export guards the names of the header as well.
  const names = header.map(unguardText);
  return [CSV_FACTS, OLDER_FACTS].some((facts) => isGridHeader(names, facts)) ? unguardText : (field) => field;
}
