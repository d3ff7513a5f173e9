import { Switch } from '@base-ui/react/switch';

interface ToggleProps {
  label: string;
  value: boolean;
  onChange: (value: boolean) => void;
}

export function Toggle({ label, value, onChange }: ToggleProps) {
  return (
    <label className="inline-flex min-h-6 cursor-pointer items-center gap-2 whitespace-nowrap text-soft">
      {label}
      <Switch.Root
        checked={value}
        onCheckedChange={onChange}
        className="flex h-4 w-7 items-center rounded-full bg-faint p-0.5 data-checked:bg-accent"
      >
        <Switch.Thumb className="size-3 rounded-full bg-surface transition-transform duration-100 data-checked:translate-x-3" />
      </Switch.Root>
    </label>
  );
}
