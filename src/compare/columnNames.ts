// What columns are called where each must be told from the others: in controls, choices and plots. Pure.
// It must not know how a column looks.
import { toCandidateName } from '../training/trainingWords';
import type { CompareColumn } from './compareColumns';

const toOwnName = (column: CompareColumn): string => (column.kind === 'ready' ? toCandidateName(column.candidate) : `column ${column.series + 1}`);

/** By ref. Runs of one name get their place in the address, which is also their colour. */
export function toColumnNames(columns: readonly CompareColumn[]): ReadonlyMap<string, string> {
  const own = columns.map((column) => [column, toOwnName(column)] as const);
  const counts = new Map<string, number>();
  for (const [, name] of own) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map(own.map(([{ ref, series }, name]) => [ref, (counts.get(name) ?? 0) > 1 ? `${name} (column ${series + 1})` : name]));
}
