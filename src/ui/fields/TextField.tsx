import { useId, type ComponentProps } from 'react';

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  label: string;
  value: string;
  onChange: (value: string) => void;
  isLabelHidden?: boolean;
  /** Why the value can't be used. */
  problem?: string | null;
}

export function TextField({
  label,
  value,
  onChange,
  isLabelHidden = false,
  problem = null,
  className = '',
  ...native
}: TextFieldProps) {
  const own = useId();
  const id = native.id ?? own;
  return (
    <div className={`flex min-w-0 flex-col gap-1 ${className}`}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'text-soft'}>
        {label}
      </label>
      <input
        type="text"
        {...native}
        id={id}
        value={value}
        aria-invalid={problem !== null || undefined}
        aria-describedby={problem === null ? native['aria-describedby'] : `${id}-problem`}
        onChange={(event) => onChange(event.target.value)}
        className="h-7 min-w-0 rounded-md border border-line-strong bg-surface px-2 hover:border-faint aria-invalid:border-error"
      />
      {problem !== null && (
        <p id={`${id}-problem`} role="alert" className="text-sm text-error">
          {problem}
        </p>
      )}
    </div>
  );
}
