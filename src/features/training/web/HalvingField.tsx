import { Select } from '#ui/fields/Select.tsx';
import { toHalvingChoices, toHalvingHint, toHalvingLabel } from './halvingWords.ts';

interface HalvingFieldProps {
  /** How many settings are tried. */
  candidates: number;
  /** Of so many candidates one goes on; null: all are trained to the end. */
  eta: number | null;
  /** Milliseconds that all take; null: not known. */
  wholeTime: number | null;
  /** Why it can't be chosen; null: it can. */
  refusal: string | null;
  onChange: (eta: number | null) => void;
}

/** Asks whether poor runs stop early. Each choice says how long it takes. */
export function HalvingField({ candidates, eta, wholeTime, refusal, onChange }: HalvingFieldProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
      <Select
        label="Stop poor runs early"
        value={eta === null ? '' : String(eta)}
        options={toHalvingChoices(candidates).map((each) => ({
          value: each === null ? '' : String(each),
          label: toHalvingLabel(each, candidates, wholeTime),
        }))}
        onChange={(value) => onChange(value === '' ? null : Number(value))}
        disabledReason={refusal}
      />
      {(refusal !== null || eta !== null) && (
        <span className="min-w-40 flex-1 text-soft">{refusal ?? (eta !== null && toHalvingHint(eta, candidates))}</span>
      )}
    </div>
  );
}
