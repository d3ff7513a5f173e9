import { NumberInput } from '#ui/fields/NumberInput.tsx';

interface SamplesFieldProps {
  value: number;
  onChange: (count: number) => void;
  /** Receives the reason why a typed count is invalid; null if it is valid. */
  onProblem: (problem: string | null) => void;
  /** Id of the element that shows the problem. */
  problemId: string;
}

const RULE = { label: 'Samples per pane', min: 1, max: 30, isInteger: true };

/** The number of answers that Run requests from each pane. */
export function SamplesField({ value, onChange, onProblem, problemId }: SamplesFieldProps) {
  return (
    <span
      title="How many answers each pane asks for. If a seed is set, each sample gets the next number."
      className="flex items-center gap-1 text-sm text-soft"
    >
      <span aria-hidden>×</span>
      <NumberInput
        rule={RULE}
        value={value}
        origin={1}
        onChange={(count) => onChange(count ?? 1)}
        onProblem={onProblem}
        problemId={problemId}
        className="w-9"
      />
      <span aria-hidden>{value === 1 ? 'sample' : 'samples'}</span>
    </span>
  );
}
