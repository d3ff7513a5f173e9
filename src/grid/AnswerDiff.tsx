import { useMemo } from 'react';
import { countChanges, toWordDiff } from '../evaluation/wordDiff';
import { DiffText } from '../ui/DiffText';
import { formatCount } from '../ui/format';

interface AnswerDiffProps {
  /** What the answer is measured against. */
  before: string;
  after: string;
  className: string;
}

/** A word-by-word comparison of longer texts would hold the page up. */
const MAX_COMPARED = 60_000;

const toWords = (count: number): string => `${formatCount(count)} ${count === 1 ? 'word' : 'words'}`;

/** An answer with its differences from another text. */
export function AnswerDiff({ before, after, className }: AnswerDiffProps) {
  const isTooLong = before.length + after.length > MAX_COMPARED;
  const parts = useMemo(() => (isTooLong ? null : toWordDiff(before, after)), [before, after, isTooLong]);
  if (parts === null) {
    return (
      <>
        <p className="text-sm text-wait">These texts are too long to be compared word by word.</p>
        <div className={className}>{after}</div>
      </>
    );
  }
  const { added, removed } = countChanges(parts);
  return (
    <>
      <p className="text-sm text-soft">{before === after ? 'The same, word for word.' : `${toWords(removed)} removed, ${toWords(added)} added.`}</p>
      <div className={className}>
        <DiffText parts={parts} />
      </div>
    </>
  );
}
