import type { UsualColumns } from '#web/experiments/rows/tableState.ts';
import { toValueText } from '#web/experiments/rows/valueText.ts';

interface SameLineProps {
  same: UsualColumns['same'];
}

/** The columns that are left out because all rows are the same in them, each with its value. */
export function SameLine({ same }: SameLineProps) {
  if (same.length === 0) return null;
  const text = same.map(({ column, value }) => `${column.label} ${toValueText(column.kind, value).text}`).join(', ');
  return <p className="min-w-0 text-sm break-words text-soft">same for all: {text}</p>;
}
