import { CircleCheck, CircleX } from 'lucide-react';
import { useState } from 'react';
import type { ValidationPoint } from '#features/training/shared/trainingRecords.ts';
import { Select } from '#ui/fields/Select.tsx';
import { formatCount } from '#ui/kit/format.ts';
import { toAnsweredSteps, toShownAnswers, type ShownAnswer } from './shownAnswers.ts';

interface AnswerChangesProps {
  validations: readonly ValidationPoint[];
  /** While a run goes on, they are open. */
  isActive: boolean;
}

const NEWEST = 'newest';

function Answer({ prompt, expected, answer, isRight, before }: ShownAnswer) {
  const Icon = isRight === false ? CircleX : CircleCheck;
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 border-t border-line py-1.5 first:border-t-0">
      <span className={`mt-0.5 ${isRight === false ? 'text-error' : 'text-success'}`}>
        {isRight !== null && (
          <>
            <Icon aria-hidden size={15} />
            <span className="sr-only">{isRight ? 'right' : 'wrong'}</span>
          </>
        )}
      </span>
      <div className="min-w-0">
        <p className="line-clamp-3 whitespace-pre-wrap">{prompt}</p>
        <dl className="mt-0.5 grid grid-cols-[max-content_minmax(0,1fr)] gap-x-3 text-sm">
          <dt className="text-soft">Answer</dt>
          <dd className="font-mono whitespace-pre-wrap">{answer === '' ? '(empty)' : answer}</dd>
          {isRight !== true && (
            <>
              <dt className="text-soft">Expected</dt>
              <dd className="font-mono whitespace-pre-wrap">{expected}</dd>
            </>
          )}
          {before !== null && before.answer !== answer && (
            <>
              <dt className="text-soft">At step {formatCount(before.step)}</dt>
              <dd className="font-mono whitespace-pre-wrap text-soft">
                {before.answer === '' ? '(empty)' : before.answer}
              </dd>
            </>
          )}
        </dl>
      </div>
    </li>
  );
}

/** Some answers to validation rows of the newest measured step, or of one that a person chooses: the worst, and those that became better. */
export function AnswerChanges({ validations, isActive }: AnswerChangesProps) {
  const [isOpen, setOpen] = useState(isActive);
  const [chosen, setChosen] = useState(NEWEST);
  const steps = toAnsweredSteps(validations);
  const newest = steps.at(-1);
  if (newest === undefined) return null;
  const step = steps.find((each) => String(each) === chosen) ?? newest;
  const shown = toShownAnswers(validations, step);
  if (shown === null) return null;
  const lists = [
    { name: 'Worst answers', answers: shown.wrong },
    { name: 'Right, or better than before', answers: shown.right },
  ].filter(({ answers }) => answers.length > 0);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit cursor-pointer rounded font-semibold">
        Answers to validation rows
        <span className="ml-2 font-normal text-soft">
          some of step {formatCount(newest)}: the worst, and those that became better
        </span>
      </summary>
      <section aria-label="Answers to validation rows" className="mt-1.5 flex min-w-0 flex-col gap-1.5">
        <Select
          label="Answers of step"
          value={steps.includes(Number(chosen)) ? chosen : NEWEST}
          options={[
            { value: NEWEST, label: `newest (${formatCount(newest)})` },
            ...steps.toReversed().map((each) => ({ value: String(each), label: formatCount(each) })),
          ]}
          onChange={setChosen}
        />
        <div className="grid gap-x-6 gap-y-2 @2xl:grid-cols-2">
          {lists.map(({ name, answers }) => (
            <section key={name} className="min-w-0">
              <h5 className="text-soft">{name}</h5>
              <ul aria-label={name}>
                {answers.map((answer) => (
                  <Answer key={answer.place} {...answer} />
                ))}
              </ul>
            </section>
          ))}
        </div>
      </section>
    </details>
  );
}
