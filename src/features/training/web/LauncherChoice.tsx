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
  const chosen = launchers.find(({ name }) => name === value);
  const isGone = value !== null && chosen === undefined;
  if (launchers.length === 0 && !isGone) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
      {launchers.length > 0 && (
        <Select
          label="Train at"
          value={isGone ? '' : (value ?? '')}
          options={[
            { value: '', label: 'This studio and its workers' },
            ...launchers.map(({ name, about, open }) => ({
              value: name,
              label: [name, about, open > 0 ? `${open} there now` : ''].filter(Boolean).join(' · '),
            })),
          ]}
          onChange={(name) => onChange(name === '' ? null : name)}
        />
      )}
      {(isGone || chosen?.about) && (
        <span className="min-w-40 flex-1 text-soft wrap-anywhere">
          {isGone
            ? `The job was trained at ${value}, which this studio no longer knows: the runs are trained here.`
            : chosen?.about}
        </span>
      )}
    </div>
  );
}
