import type { JudgementItem } from '#features/evaluation/shared/contract/judgements.ts';
import { toAnswerText } from '#features/evaluation/web/records/rowTexts.ts';

interface JudgedTextProps {
  label: string;
  answer: JudgementItem['answers'][number] | undefined;
  /** It was chosen. */
  isChosen?: boolean;
}

/** An answer without the name of its model. */
export function JudgedText({ label, answer, isChosen = false }: JudgedTextProps) {
  const text = answer ? toAnswerText(answer) : '';
  return (
    <section aria-label={label} className="flex min-w-0 flex-col gap-1">
      <h3 className="text-sm font-semibold text-soft">
        {label}
        {isChosen && ', chosen'}
      </h3>
      <div
        className={`min-h-16 flex-1 rounded-lg border bg-raised px-3 py-2 break-words whitespace-pre-wrap ${isChosen ? 'border-accent' : 'border-line'}`}
      >
        {text === '' ? <span className="text-soft">empty</span> : text}
      </div>
    </section>
  );
}
