import { lazy, Suspense, useId, useState } from 'react';
import { SelectTrigger } from './SelectTrigger';

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

// See Menu: the trigger stands at once, the pop-up's code follows.
const SelectBody = lazy(async () => {
  const { SelectBody: Body } = await import('./SelectBody');
  return { default: Body };
});

/** One choice out of a short, fixed list. A value that is not in the list is shown as it is. */
export function Select({ label, value, options, onChange, isLabelHidden = false }: SelectProps) {
  const id = useId();
  const [isAwaited, setAwaited] = useState(false);
  const shown = options.find((option) => option.value === value)?.label ?? value;
  return (
    <div className="inline-flex min-w-0 items-center gap-2">
      <span id={id} className={isLabelHidden ? 'sr-only' : 'shrink-0 text-soft'}>
        {label}
      </span>
      <Suspense
        fallback={
          <SelectTrigger aria-haspopup="listbox" aria-labelledby={id} onClick={() => setAwaited(true)}>
            {shown}
          </SelectTrigger>
        }
      >
        <SelectBody labelId={id} shown={shown} value={value} options={options} onChange={onChange} isOpenAtFirst={isAwaited} />
      </Suspense>
    </div>
  );
}
