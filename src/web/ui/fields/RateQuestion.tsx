import { useId, useState, type FormEvent } from 'react';
import type { RateChoice } from '#shared/contract/rateMeaning.ts';
import { Button } from '#web/ui/Button.tsx';
import { parseNumberText } from './numberText.ts';
import { TextField } from './TextField.tsx';

interface RateQuestionProps {
  /** The studio that it is asked of, such as `https://studio.example.com`. */
  studio: string;
  /** What was said before. */
  value: RateChoice | null;
  /** null: it is not known. */
  onAnswer: (choice: RateChoice | null) => void;
}

const ANSWERS = [
  { means: 'rate', label: 'It is the learning rate itself' },
  { means: 'factor', label: 'It is a factor, times my base rate' },
  { means: 'unknown', label: 'I don’t know: leave the rate open, so that the file stops until it is filled in' },
] as const;

type Means = (typeof ANSWERS)[number]['means'];

/** Asks what a service's `learning_rate_multiplier` means, where the service does not say it. */
export function RateQuestion({ studio, value, onAnswer }: RateQuestionProps) {
  const name = useId();
  const [means, setMeans] = useState<Means | null>(value?.means ?? null);
  const [base, setBase] = useState(value?.means === 'factor' ? String(value.base) : '');
  const [problem, setProblem] = useState<string | null>(null);
  const type = (text: string) => {
    setBase(text);
    setProblem(null);
  };
  const answer = (event: FormEvent) => {
    event.preventDefault();
    if (means === null) return;
    if (means !== 'factor') return onAnswer(means === 'rate' ? { means } : null);
    const parsed = parseNumberText(base, { label: 'Base rate' });
    if (parsed.ok && parsed.value !== undefined && parsed.value > 0) onAnswer({ means, base: parsed.value });
    else setProblem(parsed.ok ? 'The base rate is a number above 0, such as 2e-5.' : parsed.message);
  };
  return (
    <form onSubmit={answer} className="flex flex-col gap-3">
      <p className="text-soft">
        This studio doesn’t say it, and services differ. A trainer’s config needs the learning rate itself. Your answer
        is kept in this browser for <span className="font-mono break-all">{studio}</span>; the same menu changes it.
      </p>
      <fieldset className="flex flex-col gap-2">
        <legend className="sr-only">Meaning of the multiplier</legend>
        {ANSWERS.map((entry) => (
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
                onChange={type}
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
      <div className="flex justify-end">
        <Button type="submit" variant="primary" disabledReason={means === null ? 'Choose an answer first.' : null}>
          Use this answer
        </Button>
      </div>
    </form>
  );
}
