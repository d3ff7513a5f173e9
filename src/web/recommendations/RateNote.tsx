import { RATE_HINT } from '#shared/training/rates.ts';

/** The footnote that every † refers to. */
export function RateNote() {
  return (
    <p className="px-1 text-sm text-soft">
      <span aria-hidden className="mr-1 text-wait">
        †
      </span>
      <span className="font-mono">learning_rate_multiplier</span>: {RATE_HINT}
    </p>
  );
}
