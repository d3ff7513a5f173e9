import { CircleCheck, CircleHelp, CircleX, TriangleAlert } from 'lucide-react';
import type { EvaluationAnswer } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import { toAnswerText } from './rowTexts.ts';

const LOOKS = {
  pass: { Icon: CircleCheck, tone: 'text-success', word: 'passed' },
  fail: { Icon: CircleX, tone: 'text-error', word: 'failed' },
  not_checked: { Icon: CircleHelp, tone: 'text-warning', word: 'not checked' },
  error: { Icon: TriangleAlert, tone: 'text-error', word: 'no answer' },
  open: { Icon: CircleHelp, tone: 'text-faint', word: 'not judged yet' },
} as const;

interface AnswerCellProps {
  /** Of one model to one row: its repeats. */
  answers: readonly EvaluationAnswer[];
}

/** What a model answered: its first answer, and how its repeats were judged. */
export function AnswerCell({ answers }: AnswerCellProps) {
  const [first] = answers;
  if (!first) return <span className="text-faint">not asked yet</span>;
  const { Icon, tone, word } = LOOKS[first.state === 'failed' ? 'error' : (first.outcome ?? 'open')];
  const passed = answers.filter(({ outcome }) => outcome === 'pass').length;
  return (
    <span className="flex items-start gap-1.5">
      <Icon aria-hidden size={14} className={`mt-1 shrink-0 ${tone}`} />
      <span className="sr-only">{word}: </span>
      <span className="min-w-0">
        <span className="line-clamp-3 break-words">{first.error ?? toAnswerText(first)}</span>
        {answers.length > 1 && (
          <span className="block text-xs text-soft tabular-nums">
            {passed} of {answers.length} passed
          </span>
        )}
      </span>
    </span>
  );
}
