import type { Launchers } from '#features/training/shared/launchers.ts';
import { Select } from '#ui/fields/Select.tsx';

interface LauncherChoiceProps {
  launchers: Launchers['launchers'];
  /** null: this studio, or its workers. */
  value: string | null;
  onChange: (name: string | null) => void;
}

/** Where the runs of a job are trained; nothing where there is no choice. */
export function LauncherChoice({ launchers, value, onChange }: LauncherChoiceProps) {
  if (launchers.length === 0) return null;
  return (
    <Select
      label="Train at"
      value={value ?? ''}
      options={[
        { value: '', label: 'This studio and its workers' },
        ...launchers.map(({ name, about, open }) => ({
          value: name,
          label: [name, about, open > 0 ? `${open} there now` : ''].filter(Boolean).join(' · '),
        })),
      ]}
      onChange={(name) => onChange(name === '' ? null : name)}
    />
  );
}
