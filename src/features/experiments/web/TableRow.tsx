import { Columns2, Play, Trophy } from 'lucide-react';
import { memo } from 'react';
import { CutText } from '#ui/kit/CutText.tsx';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { checkClass, swatchClass } from '#ui/kit/series.ts';
import { isNumberColumn, type ExperimentColumn } from '#features/experiments/web/rows/column.ts';
import { ExperimentValue } from './ExperimentValue.tsx';
import type { ExperimentRow } from '#features/experiments/web/rows/experimentRows.ts';
import { toRowProps } from '#ui/grid/useGridFocus.ts';
import { CHECK_CELL, toCellClass, toCellStyle, type TableColumn } from './tableLayout.ts';

interface TableRowProps {
  row: ExperimentRow;
  columns: readonly TableColumn[];
  /** Place among the rows of the table; the table's handlers find the row by it. */
  place: number;
  /** 2 inside a group, 1 beside groups; null without groups. */
  level: number | null;
  /** Place in the compared set; null: not compared. */
  series: number | null;
  /** Of which dataset and by which measure it is the best run; null: it is not. */
  bestOf: string | null;
  isActive: boolean;
  isHovered: boolean;
  /** It can be served to chat with, if it is not yet. */
  canChat: boolean;
}

const CELL =
  'overflow-hidden px-2.5 font-normal leading-[31px] text-ellipsis whitespace-nowrap print:px-1 print:py-0.5 ' +
  'print:leading-normal print:align-top print:text-[8px] print:whitespace-normal';

function toCellFont(column: ExperimentColumn): string {
  if (isNumberColumn(column)) return 'text-right font-mono text-sm print:text-[8px]';
  if (column.kind === 'status') return 'print:whitespace-nowrap';
  return column.kind === 'id' || column.label.includes('_')
    ? 'font-mono text-sm print:text-[8px] print:[overflow-wrap:anywhere]'
    : '';
}

/**
 * An experiment's row. Tab reaches only the controls of the active row; arrow keys change the active row. The buttons
 * for the model appear only in the focused and the hovered row. Every row keeps room for them, and the colour of a
 * compared row sits in the margin, so the name never changes its width.
 */
function Row({ row, columns, place, level, series, bestOf, isActive, isHovered, canChat }: TableRowProps) {
  const tabIndex = isActive ? 0 : -1;
  // Sticky cells set the row's colour themselves: inheriting it would cost five times the style work while scrolling.
  const tone = series !== null ? 'bg-selected' : isHovered ? 'bg-raised' : 'bg-surface';
  const hasButtons = (row.problem === null || canChat) && (isActive || isHovered);
  return (
    <tr
      {...toRowProps(place, isActive)}
      aria-level={level ?? undefined}
      aria-selected={series !== null}
      className={
        `group/row flex h-8 border-b border-line contain-strict ${tone} ` +
        'print:static print:table-row print:h-auto print:contain-none'
      }
    >
      <td className={`${CHECK_CELL} ${tone}`}>
        <input
          type="checkbox"
          data-do="toggle"
          aria-label={`Compare ${row.label}`}
          tabIndex={tabIndex}
          checked={series !== null}
          readOnly
          className={`size-3.5 cursor-pointer ${series === null ? '' : checkClass(series)}`}
        />
      </td>
      {columns.map((entry) => {
        const { column } = entry;
        if (column.kind !== 'name') {
          return (
            <td
              key={column.id}
              style={toCellStyle(entry)}
              className={`${CELL} ${toCellClass(entry)} ${toCellFont(column)} ${entry.left === null ? '' : tone}`}
            >
              <ExperimentValue column={column} row={row} />
            </td>
          );
        }
        return (
          <th
            key={column.id}
            scope="row"
            style={toCellStyle(entry)}
            className={`${CELL} text-left ${toCellClass(entry)} ${entry.left === null ? '' : tone}`}
          >
            <span className="flex h-full min-w-0 items-center pr-13 print:block print:pr-0">
              {series !== null && (
                <span
                  aria-hidden
                  className={
                    'mr-1 -ml-2.5 inline-block h-3 w-1.5 shrink-0 rounded-sm print:mr-1.5 print:ml-0 print:size-2 ' +
                    `${swatchClass(series)}`
                  }
                />
              )}
              <button
                type="button"
                data-do="open"
                tabIndex={tabIndex}
                title={row.label}
                className="min-w-0 truncate rounded text-left font-medium hover:underline"
              >
                <CutText text={row.label} />
              </button>
              {bestOf !== null && (
                <span title={bestOf} className="ml-1 shrink-0 text-star">
                  <Trophy aria-hidden size={12} />
                  <span className="sr-only">{bestOf}</span>
                </span>
              )}
              {hasButtons && (
                <span
                  className={
                    '-mr-15 ml-auto shrink-0 items-center print:hidden ' +
                    `${isHovered ? 'flex' : 'hidden group-focus-within/row:flex'}`
                  }
                >
                  <IconButton
                    label={canChat ? `Chat with this run${row.problem === null ? '' : '…'}` : 'Try in playground'}
                    data-do="try"
                    tabIndex={tabIndex}
                    icon={<Play aria-hidden size={13} />}
                  />
                  {row.problem === null && (row.tried_base !== null || canChat) && (
                    <IconButton
                      label="Compare with base model"
                      disabledReason={row.base_problem}
                      data-do="try-base"
                      tabIndex={tabIndex}
                      icon={<Columns2 aria-hidden size={14} />}
                    />
                  )}
                </span>
              )}
            </span>
          </th>
        );
      })}
    </tr>
  );
}

export const TableRow = memo(Row);
