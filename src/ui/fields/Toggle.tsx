interface ToggleProps {
  label: string;
  value: boolean;
  onChange: (value: boolean) => void;
}

// The checkbox has a checked state; aria-checked would be a second one.
const SWITCH = { type: 'checkbox', role: 'switch' } as const;

export function Toggle({ label, value, onChange }: ToggleProps) {
  return (
    <label className="inline-flex min-h-6 cursor-pointer items-center gap-2 whitespace-nowrap text-soft">
      {label}
      <input
        {...SWITCH}
        checked={value}
        onChange={(event) => onChange(event.target.checked)}
        className={
          'h-4 w-7 shrink-0 cursor-pointer appearance-none rounded-full bg-faint p-0.5 before:block before:size-3 ' +
          'before:rounded-full before:bg-surface before:transition-transform before:duration-100 checked:bg-accent ' +
          'checked:before:translate-x-3 forced-colors:w-4 forced-colors:appearance-auto forced-colors:before:hidden'
        }
      />
    </label>
  );
}
