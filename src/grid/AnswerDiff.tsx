import { useMemo } from 'react';
import { toBoundedDiff } from '../evaluation/boundedDiff';
import { countChanges } from '../evaluation/wordDiff';
import { DiffText } from '../ui/DiffText';
import { formatCounted } from '../ui/format';

interface AnswerDiffProps {
  /** What the answer is measured against. */
  before: string;
  after: string;
  className: string;
}

/** An answer with its differences from another text. */
export function AnswerDiff({ before, after, className }: AnswerDiffProps) {
  const parts = useMemo(() => toBoundedDiff(before, after), [before, after]);
  if (parts === null) {
    return (
      <>
        <p className="text-sm text-wait">What differs is too long to be compared word by word.</p>
        <div className={className}>{after}</div>
      </>
    );
  }
  const { added, removed } = countChanges(parts);
  return (
    <>
      <p className="text-sm text-soft">{before === after ? 'The same, word for word.' : `${formatCounted(removed, 'word')} removed, ${formatCounted(added, 'word')} added.`}</p>
      <div className={className}>
        <DiffText parts={parts} />
      </div>
    </>
  );
}
