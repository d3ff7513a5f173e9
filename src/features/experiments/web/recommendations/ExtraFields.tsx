import type { ExtraParameter } from '#features/experiments/shared/extraParameters.ts';
import { toFieldLabel, toFieldTip } from '#features/experiments/shared/fieldLabels.ts';
import { splitFigures, toMoreText } from '#features/experiments/shared/manyFigures.ts';
import { toClipped } from '#features/experiments/shared/trainingWords.ts';
import { MoreFigures } from '#ui/kit/MoreFigures.tsx';

interface ExtraFieldsProps {
  /** What they belong to, where that isn't clear. */
  label?: string;
  extras: readonly ExtraParameter[];
}

const toField = ({ name, value }: ExtraParameter) => (
  <span key={name} className="min-w-0">
    <span title={toFieldTip({ id: name, label: toFieldLabel(name) })}>{toFieldLabel(name)}</span>{' '}
    <span className="text-ink">{value === null ? 'null' : toClipped(String(value))}</span>
  </span>
);

/** Fields that this dashboard does not know, as the service sent them. */
export function ExtraFields({ label, extras }: ExtraFieldsProps) {
  if (extras.length === 0) return null;
  const { shown, more } = splitFigures(
    extras,
    () => true,
    () => false,
  );
  return (
    <div className="mt-0.5">
      <p className="flex flex-wrap gap-x-3">
        {label !== undefined && <span className="font-medium">{label}:</span>}
        {shown.map(toField)}
      </p>
      {more.length > 0 && (
        <MoreFigures title={toMoreText(more.length)}>
          <p className="flex flex-wrap gap-x-3">{more.map(toField)}</p>
        </MoreFigures>
      )}
    </div>
  );
}
