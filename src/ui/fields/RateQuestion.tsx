import { useId, useState, type FormEvent } from 'react';
import type { RateChoice } from '#core/contract/rateMeaning.ts';
import { Button } from '#ui/kit/Button.tsx';
import { readRateAnswer, toRatePreview, type RateAnswer } from './rateAnswer.ts';
import { TextField } from './TextField.tsx';

interface RateQuestionProps {
  /** The studio in question, such as `https://studio.example.com`. */
  studio: string;
  /** The studio says that the multiplier is a factor. */
  isFactor: boolean;
  /** The earlier answer. */
  value: RateChoice | null;
  /** The multiplier of the first candidate; null: it has none. */
  example: number | null;
  /** null: unknown. */
  onAnswer: (choice: RateChoice | null) => void;
}

const ANSWERS = [
  { means: 'rate', label: 'It is the learning rate itself' },
  { means: 'factor', label: 'It is a factor of my base rate' },
  { means: 'unknown', label: 'I don’t know. Leave the rate empty: training does not start until I fill it in' },
] as const;

/** Asks what a service's `learning_rate_multiplier` means, or its base rate, if the service does not say. */
export function RateQuestion({ studio, isFactor, value, example, onAnswer }: RateQuestionProps) {
  const name = useId();
  const [means, setMeans] = useState<RateAnswer | null>(isFactor ? 'factor' : (value?.means ?? null));
  const [base, setBase] = useState(value?.means === 'factor' ? String(value.base) : '');
  const [isSent, setSent] = useState(false);
  const read = readRateAnswer(means, base);
  // An empty field is an error only when the answer is used.
  const problem = read.problem !== null && (isSent || base.trim() !== '') ? read.problem : null;
  const preview = toRatePreview(example, read.choice);
  const answer = (event: FormEvent) => {
    event.preventDefault();
    if (means === null) return;
    if (read.problem === null) onAnswer(read.choice);
    else setSent(true);
  };
  return (
    <form onSubmit={answer} className="flex flex-col gap-3">
      <p className="text-soft">
        {isFactor
          ? 'This studio says that it is a factor, but not what the base rate is.'
          : 'This studio doesn’t say what it means, and services differ.'}{' '}
        A trainer’s config needs the learning rate itself. Your answer is kept in this browser for{' '}
        <span className="font-mono break-all">{studio}</span>; the same menu changes it.
      </p>
      <fieldset className="flex flex-col gap-2">
        <legend className="sr-only">Meaning of the multiplier</legend>
        {ANSWERS.filter((entry) => !isFactor || entry.means !== 'rate').map((entry) => (
          <div key={entry.means} className="flex flex-col gap-1.5">
            <label className="flex items-baseline gap-2">
              <input
                type="radio"
                name={name}
                value={entry.means}
                checked={means === entry.means}
                onChange={() => setMeans(entry.means)}
                className="translate-y-0.5 accent-accent"
              />
              {entry.label}
            </label>
            {entry.means === 'factor' && means === 'factor' && (
              <TextField
                label="Base rate"
                value={base}
                onChange={setBase}
                problem={problem}
                inputMode="decimal"
                autoComplete="off"
                placeholder="2e-5"
                className="max-w-72 pl-6"
              />
            )}
          </div>
        ))}
      </fieldset>
      <div className="flex items-center justify-end gap-3">
        <output className="tabular text-soft">{preview}</output>
        <Button type="submit" variant="primary" disabledReason={means === null ? 'Choose an answer first.' : null}>
          Use this answer
        </Button>
      </div>
    </form>
  );
}
