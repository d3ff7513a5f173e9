import { toCandidateTitle } from '#shared/training/trainingWords.ts';
import type { CompareColumn } from './compareColumns.ts';

interface CompareNotesProps {
  columns: readonly CompareColumn[];
}

const NAMED = 4;

/** What the values of some columns lack, and why: each reason once. */
export function CompareNotes({ columns }: CompareNotesProps) {
  const namesByGap = new Map<string, string[]>();
  for (const column of columns) {
    if (column.kind !== 'ready' || column.gap === null) continue;
    namesByGap.set(column.gap, [...(namesByGap.get(column.gap) ?? []), toCandidateTitle(column.candidate)]);
  }
  return [...namesByGap].map(([gap, names]) => (
    <p key={gap} className="border-t border-line px-3 py-1.5 text-sm text-soft">
      <span className="font-medium text-ink">
        {names.slice(0, NAMED).join(', ')}
        {names.length > NAMED && ` and ${names.length - NAMED} more`}:
      </span>{' '}
      {gap}
    </p>
  ));
}
