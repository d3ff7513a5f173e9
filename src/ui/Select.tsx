import { useId } from 'react';
import { SelectTrigger } from './SelectTrigger';
import { useLate } from './useLate';

interface SelectOption {
  value: string;
  label: string;
  hint?: string;
}

interface SelectProps {
  label: string;
  value: string;
  options: readonly SelectOption[];
  onChange: (value: string) => void;
  isLabelHidden?: boolean;
}

// What Base UI says of its trigger, said before Base UI has arrived.
const CLOSED = { role: 'combobox', 'aria-haspopup': 'listbox' } as const;

/** One choice out of a short, fixed list. A value that is not in the list is shown as it is. */
export function Select({ label, value, options, onChange, isLabelHidden = false }: SelectProps) {
  const id = useId();
  // As in Menu: the pop-up comes when reached for.
  const { code, trigger } = useLate(() => import('./SelectBody'));
  const shown = options.find((option) => option.value === value)?.label ?? value;
  return (
    <div className="inline-flex min-w-0 items-center gap-2">
      <span id={id} className={isLabelHidden ? 'sr-only' : 'shrink-0 text-soft'}>
        {label}
      </span>
      {code ? (
        <code.SelectBody labelId={id} shown={shown} value={value} options={options} onChange={onChange} />
      ) : (
        <SelectTrigger {...CLOSED} aria-labelledby={id} {...trigger}>
          {shown}
        </SelectTrigger>
      )}
    </div>
  );
}
