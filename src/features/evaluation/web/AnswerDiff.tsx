import { useMemo } from 'react';
import { countChanges } from '#core/differences/wordDiff.ts';
import { findJsonChanges } from '#core/json/jsonChanges.ts';
import { toChangesText } from '#ui/differences/changesText.ts';
import { JsonChanges } from '#ui/differences/JsonChanges.tsx';
import { COARSE_DIFF, NO_DIFF, useTextDiff } from '#ui/differences/useTextDiff.ts';
import { DiffText } from '#ui/kit/DiffText.tsx';
import { formatCounted } from '#ui/kit/format.ts';

interface AnswerDiffProps {
  /** The text that the answer is compared with. */
  before: string;
  after: string;
  className: string;
}

/**
 * An answer with its differences from another text, those of two JSON texts also by field. Shows the plain answer while the differences load, or if they fail.
 */
export function AnswerDiff({ before, after, className }: AnswerDiffProps) {
  const found = useTextDiff(before, after);
  const changes = useMemo(() => (before === after ? null : findJsonChanges(before, after)), [before, after]);
  const problem = found && ('problem' in found ? found.problem : found.diff === null ? NO_DIFF : null);
  const diff = found && 'diff' in found ? found.diff : null;
  const counts = diff && diff.isExact ? countChanges(diff.parts) : null;
  const words =
    counts &&
    (before === after
      ? 'The same, word for word.'
      : `${formatCounted(counts.removed, 'word')} removed, ${formatCounted(counts.added, 'word')} added.`);
  return (
    <>
      <p className={`text-sm ${problem ? 'text-warning' : 'text-soft'}`}>
        {changes && `${toChangesText(changes)}. `}
        {problem ?? words ?? (diff ? COARSE_DIFF : 'Comparing…')}
      </p>
      {changes && <JsonChanges changes={changes} />}
      <div className={className}>{diff ? <DiffText parts={diff.parts} /> : after}</div>
    </>
  );
}
