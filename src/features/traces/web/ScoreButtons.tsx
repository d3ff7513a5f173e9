import { ChangeButton } from '#ui/kit/ChangeButton.tsx';
import { SCORE_KEYS } from './traceFilter.ts';

interface ScoreButtonsProps {
  value: number | null;
  onChange: (score: number | null) => void;
}

/** Five scores; the one that is pressed again is taken away. */
export function ScoreButtons({ value, onChange }: ScoreButtonsProps) {
  return (
    <fieldset aria-label="Score" className="flex flex-wrap gap-1.5">
      {SCORE_KEYS.map(({ key, score, label }) => (
        <ChangeButton
          key={key}
          size="small"
          aria-pressed={value === score}
          variant={value === score ? 'primary' : 'default'}
          aria-keyshortcuts={key}
          onClick={() => onChange(value === score ? null : score)}
        >
          {label} {score}
        </ChangeButton>
      ))}
    </fieldset>
  );
}
