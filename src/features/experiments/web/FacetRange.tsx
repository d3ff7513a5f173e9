import { useId, useState } from 'react';
import { FieldProblem } from '#ui/fields/FieldProblem.tsx';
import { NumberInput } from '#ui/fields/NumberInput.tsx';
import { toEntered, type Range } from '#features/experiments/web/rows/rangeEntry.ts';

interface FacetRangeProps extends Range {
  label: string;
  /** Smallest and largest value there is; null without any. */
  extent: { readonly min: number; readonly max: number } | null;
  onChange: (from: number | null, to: number | null) => void;
}

/** A typed range that does not apply yet, because its ends are reversed. */
interface Draft {
  readonly range: Range;
  readonly base: Range;
  readonly problem: string;
}

/** Fields for the ends of a range; both are inclusive, and either may be open. */
export function FacetRange({ label, from, to, extent, onChange }: FacetRangeProps) {
  const id = useId();
  const [problems, setProblems] = useState<{ readonly from: string | null; readonly to: string | null }>({
    from: null,
    to: null,
  });
  const [typed, setTyped] = useState<Draft | null>(null);
  // A clear or a brush elsewhere discards the draft.
  const draft = typed && typed.base.from === from && typed.base.to === to ? typed : null;
  const shown = draft?.range ?? { from, to };
  const step = extent && extent.max > extent.min ? 10 ** Math.floor(Math.log10((extent.max - extent.min) / 10)) : 1;
  const enter = (end: 'from' | 'to', value: number | null) => {
    const { range, problem } = toEntered(shown, end, value);
    setTyped(problem === null ? null : { range, base: { from, to }, problem });
    if (problem === null) onChange(range.from, range.to);
  };
  const field = (name: 'from' | 'to') => (
    <>
      <div className="flex items-center gap-2">
        <label htmlFor={`${id}-${name}`} className="w-10 text-soft">
          {name}
        </label>
        <NumberInput
          id={`${id}-${name}`}
          rule={{ label: `${label} ${name}` }}
          value={shown[name] ?? undefined}
          step={step}
          origin={(name === 'from' ? extent?.min : extent?.max) ?? 0}
          placeholder={String((name === 'from' ? extent?.min : extent?.max) ?? '')}
          onProblem={(problem) => setProblems((last) => ({ ...last, [name]: problem }))}
          problemId={`${id}-${name}-problem ${id}-order`}
          onChange={(value) => enter(name, value ?? null)}
          className="flex-1"
        />
      </div>
      <FieldProblem id={`${id}-${name}-problem`} message={problems[name]} />
    </>
  );
  return (
    <div className="flex flex-col gap-1.5 p-3">
      {field('from')}
      {field('to')}
      <FieldProblem id={`${id}-order`} message={draft?.problem ?? null} />
    </div>
  );
}
