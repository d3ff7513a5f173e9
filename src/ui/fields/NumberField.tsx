import { useId, useState } from 'react';
import { FieldProblem } from './FieldProblem.tsx';
import { NumberInput } from './NumberInput.tsx';

interface NumberFieldProps {
  label: string;
  value: number | undefined;
  onChange: (value: number | undefined) => void;
  min?: number;
  max?: number;
  isInteger?: boolean;
  placeholder?: string;
}

/** A labelled number; empty means not set. A form aligns its fields with the CSS variable --label-width. */
export function NumberField({ label, value, onChange, min, max, isInteger, placeholder }: NumberFieldProps) {
  const id = useId();
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <div className="grid grid-cols-[var(--label-width,auto)_minmax(4rem,1fr)] items-center gap-x-2">
      <label htmlFor={id} className="text-soft">
        {label}
      </label>
      <NumberInput
        id={id}
        rule={{ label, min, max, isInteger }}
        value={value}
        onChange={onChange}
        onProblem={setProblem}
        problemId={`${id}-problem`}
        origin={Math.max(min ?? 0, 0)}
        placeholder={placeholder}
      />
      <FieldProblem id={`${id}-problem`} message={problem} />
    </div>
  );
}
