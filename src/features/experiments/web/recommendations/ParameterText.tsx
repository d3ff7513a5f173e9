import { useContext } from 'react';
import { toCountText } from '#ui/kit/format.ts';
import type { ParameterKind, ParameterValue } from '#features/experiments/shared/delta.ts';
import { toTrainingWord } from '#features/experiments/shared/trainingWords.ts';
import { isLikelyAbsoluteRate, toRateText } from '#features/experiments/shared/rates.ts';
import { RateMark } from './listControl.ts';

interface RateTextProps {
  value: number;
}

/** A learning rate multiplier, with a mark when it may be an absolute rate. The mark's room is always kept. */
function RateText({ value }: RateTextProps) {
  const isMarked = useContext(RateMark) && isLikelyAbsoluteRate(value);
  const { text, isExact } = toRateText(value);
  return (
    <span className="whitespace-nowrap" title={isExact ? undefined : String(value)}>
      {!isExact && <span aria-label="about">≈</span>}
      {text}
      <span className="inline-block w-2 text-left align-super text-2xs leading-none text-warning">
        {isMarked && (
          <>
            <span aria-hidden>†</span>
            <span className="sr-only"> looks like an absolute rate</span>
          </>
        )}
      </span>
    </span>
  );
}

interface ParameterTextProps {
  name: string;
  kind: ParameterKind;
  value: ParameterValue;
}

/** One parameter's value; a missing one says so, it is never blank. */
export function ParameterText({ name, kind, value }: ParameterTextProps) {
  if (value === null) return <span className="font-sans text-sm whitespace-nowrap text-faint">not given</span>;
  if (kind === 'rate' && typeof value === 'number') return <RateText value={value} />;
  if (typeof value === 'number') return toCountText(value);
  return name === 'training_type' ? (toTrainingWord(String(value)) ?? String(value)) : String(value);
}
