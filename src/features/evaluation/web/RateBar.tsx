interface RateBarProps {
  rate: { readonly rate: number | null; readonly low: number; readonly high: number };
}

/** A pass rate as a bar with its interval; the text beside it says the same. */
export function RateBar({ rate: { rate, low, high } }: RateBarProps) {
  if (rate === null) return null;
  return (
    <span aria-hidden className="keeps-color relative my-0.5 block h-1 min-w-20 rounded-full bg-neutral-soft">
      <span className="absolute inset-y-0 left-0 rounded-full bg-success" style={{ width: `${rate * 100}%` }} />
      <span
        className="absolute -inset-y-0.5 border-x border-ink/60"
        style={{ left: `${low * 100}%`, right: `${(1 - high) * 100}%` }}
      />
    </span>
  );
}
