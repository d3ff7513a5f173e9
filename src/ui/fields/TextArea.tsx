import { useId, type ComponentProps } from 'react';

interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'value' | 'onChange'> {
  label: string;
  value: string;
  onChange: (value: string) => void;
  rows?: number;
  isLabelHidden?: boolean;
}

/** A text that grows with its content up to a third of the window, then scrolls. */
export function TextArea({
  label,
  value,
  onChange,
  rows = 2,
  isLabelHidden = false,
  className = '',
  ...native
}: TextAreaProps) {
  const own = useId();
  const id = native.id ?? own;
  return (
    <div className={`flex min-w-0 flex-1 flex-col gap-1 ${className}`}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'text-soft'}>
        {label}
      </label>
      <textarea
        {...native}
        id={id}
        rows={rows}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={
          'field-sizing-content max-h-[33vh] w-full min-w-0 resize-none rounded-lg border border-line-strong bg-surface ' +
          'px-2.5 py-1.5 hover:border-faint'
        }
        style={{ minHeight: `calc(${rows} * 1.45em + 14px)` }}
      />
    </div>
  );
}
