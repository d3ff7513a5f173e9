import { useContext } from 'react';
import { isLikelyAbsoluteRate, toRateText } from '#shared/training/rates.ts';
import { RateMark } from './rateMark.ts';

interface RateTextProps {
  value: number;
}

/** A learning rate multiplier, with a mark when it may be an absolute rate. The mark's room is always kept. */
export function RateText({ value }: RateTextProps) {
  const isMarked = useContext(RateMark) && isLikelyAbsoluteRate(value);
  const { text, isExact } = toRateText(value);
  return (
    <span className="whitespace-nowrap" title={isExact ? undefined : String(value)}>
      {!isExact && <span aria-label="about">≈</span>}
      {text}
      <span className="inline-block w-2 text-left align-super text-2xs leading-none text-wait">
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
