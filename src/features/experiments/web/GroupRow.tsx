import { ChevronDown, ChevronRight } from 'lucide-react';
import { toFieldLabel } from '#features/experiments/shared/fieldLabels.ts';
import { formatCount } from '#ui/kit/format.ts';
import { StatusBadge } from '#ui/kit/StatusBadge.tsx';
import { toRowProps } from '#ui/grid/useGridFocus.ts';
import { toValueText } from '#features/experiments/web/rows/valueText.ts';
import { toSpreadText } from '#features/experiments/web/rows/seedGroups.ts';
import type { ViewRow } from '#features/experiments/web/rows/viewRows.ts';

interface GroupRowProps {
  group: Extract<ViewRow, { kind: 'group' }>;
  /** A column's id; `status` shows a badge. */
  groupedBy: string;
  place: number;
  span: number;
  isActive: boolean;
}

/** Head of a group: the shared value, the number of experiments, the range of their losses. */
export function GroupRow({ group, groupedBy, place, span, isActive }: GroupRowProps) {
  const { count, succeeded, last_loss, spread } = group.facts;
  const Icon = group.isOpen ? ChevronDown : ChevronRight;
  return (
    <tr
      {...toRowProps(place, isActive)}
      aria-level={1}
      aria-expanded={group.isOpen}
      className="flex h-8 cursor-pointer border-b border-line bg-raised contain-strict print:table-row print:contain-none"
    >
      <th scope="row" colSpan={span} className="grow text-left font-normal print:table-cell">
        <span className="sticky left-0 inline-flex h-full items-center gap-2 px-2.5 whitespace-nowrap">
          <Icon aria-hidden size={14} className="text-faint" />
          {groupedBy === 'status' && group.value !== null ? (
            <StatusBadge status={group.value} />
          ) : (
            <span className={group.value === null ? 'text-faint' : 'font-semibold'}>{group.name ?? 'not given'}</span>
          )}
          <span className="text-soft">
            {formatCount(count)} {count === 1 ? 'run' : 'runs'} · {formatCount(succeeded)} done
            {spread !== null && (
              <>
                {` · ${spread.measure.label} `}
                <span className="text-ink tabular-nums">{toSpreadText(spread)}</span>
              </>
            )}
            {last_loss !== null && (
              <>
                {` · ${toFieldLabel('last_loss').toLowerCase()} `}
                {toValueText('measure', last_loss.min).text}
                {last_loss.max !== last_loss.min && ` to ${toValueText('measure', last_loss.max).text}`}
              </>
            )}
          </span>
        </span>
      </th>
    </tr>
  );
}
