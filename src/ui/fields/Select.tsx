import { ChevronDown } from 'lucide-react';
import { useId } from 'react';

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
  /** The label is as wide as the form's CSS variable --label-width says, and the select fills the rest. */
  isWide?: boolean;
  /** Why it can't be changed; null: it can. */
  disabledReason?: string | null;
}

/**
 * One choice from a short, fixed list: the browser's select, which works everywhere. An unknown value is shown as it
 * is.
 */
export function Select({
  label,
  value,
  options,
  onChange,
  isLabelHidden = false,
  isWide = false,
  disabledReason = null,
}: SelectProps) {
  const id = useId();
  const chosen = options.find((option) => option.value === value);
  return (
    <div className="inline-flex min-w-0 items-center gap-2">
      <label
        htmlFor={id}
        className={isLabelHidden ? 'sr-only' : `shrink-0 text-soft ${isWide ? 'w-(--label-width)' : ''}`}
      >
        {label}
      </label>
      <span className={`relative inline-flex min-w-0 ${isWide ? 'flex-1' : ''}`}>
        <select
          id={id}
          value={value}
          title={disabledReason ?? chosen?.label ?? value}
          aria-disabled={disabledReason !== null}
          aria-describedby={disabledReason === null ? undefined : `${id}-reason`}
          // The value is the caller's: what is chosen all the same has no effect.
          onChange={(event) => disabledReason === null && onChange(event.target.value)}
          className={
            `h-7 min-w-0 cursor-default appearance-none truncate rounded-md border border-line-strong bg-surface pr-7 pl-2.5 ` +
            `font-medium hover:border-faint aria-disabled:text-faint ${isWide ? 'w-full' : 'max-w-64'}`
          }
        >
          {!chosen && <option value={value}>{value}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.hint === undefined ? option.label : `${option.label} · ${option.hint}`}
            </option>
          ))}
        </select>
        {disabledReason !== null && (
          <span id={`${id}-reason`} hidden>
            {disabledReason}
          </span>
        )}
        <ChevronDown
          aria-hidden
          size={13}
          className="pointer-events-none absolute top-1/2 right-2 -translate-y-1/2 text-faint"
        />
      </span>
    </div>
  );
}
