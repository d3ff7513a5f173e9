import type { ExtraParameter } from '../training/extraParameters';
import { toClipped } from '../training/trainingWords';

interface ExtraFieldsProps {
  /** What they belong to, where that isn't clear. */
  label?: string;
  extras: readonly ExtraParameter[];
}

/** Fields that this dashboard does not know, as the service sent them. */
export function ExtraFields({ label, extras }: ExtraFieldsProps) {
  if (extras.length === 0) return null;
  return (
    <p className="mt-0.5 flex flex-wrap gap-x-3">
      {label !== undefined && <span className="font-medium">{label}:</span>}
      {extras.map(({ name, value }) => (
        <span key={name} className="min-w-0 break-words">
          <span className="font-mono">{name}</span> <span className="text-ink">{value === null ? 'null' : toClipped(String(value))}</span>
        </span>
      ))}
    </p>
  );
}
