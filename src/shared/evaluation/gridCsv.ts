// The header of the table that a grid is exported as, for its writer and for who reads such a file again. Pure.
import { unguardText } from '#shared/contract/csvGuard.ts';

/** What a table says of an answer besides its text. */
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
] as const;

const FIRST = ['row', 'messages'] as const;
const LAST = ['rendered prompt', 'expected'] as const;

const toAnswerNames = (name: string): readonly string[] => [name, ...CSV_FACTS.map((fact) => `${name}: ${fact}`)];

/** The header of a table with these variables of its rows and these columns of answers. */
export const toGridHeader = (variables: readonly string[], columns: readonly string[]): readonly string[] => [
  ...FIRST,
  ...variables,
  ...LAST,
  ...columns.flatMap(toAnswerNames),
];

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name, at) => name === b[at]);

/**
 * The header is one that only this studio writes: every name of an answer stands in its place, and there is an answer.
 */
function isGridHeader(header: readonly string[]): boolean {
  const width = CSV_FACTS.length + 1;
  const isWhole = (end: number): boolean => {
    const columns = header.slice(end).filter((_, at) => at % width === 0);
    return columns.length > 0 && isSame(header, toGridHeader(header.slice(FIRST.length, end - LAST.length), columns));
  };
  return header.some((name, at) => name === LAST[1] && isWhole(at + 1));
}

/** The way back for the fields under this header; other studios' and people's files stay as they are. */
export function openUnguard(header: readonly string[]): (field: string) => string {
  // The guard is taken off the names as well, and would be put on each fact of a name alike.
  return isGridHeader(header.map(unguardText)) ? unguardText : (field) => field;
}
