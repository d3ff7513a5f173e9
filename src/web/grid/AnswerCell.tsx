import { memo } from 'react';
import { formatDuration } from '#web/ui/format.ts';
import { toCellLook } from '#web/grid/cells/cellLook.ts';
import type { CellVerdict, GridCell } from '#web/grid/cells/gridBook.ts';
import { toCellText } from '#web/grid/cells/gridWords.ts';
import { SoftText } from './SoftText.tsx';

interface AnswerCellProps {
  cell: GridCell;
  verdict: CellVerdict;
}

/** One answer in the table: its state, its first lines, how long it took. */
function Cell({ cell, verdict }: AnswerCellProps) {
  const { word, Icon, tone, isMoving } = toCellLook(cell, verdict);
  return (
    <>
      <span className={`flex items-center gap-1 text-xs font-medium ${tone}`}>
        <Icon aria-hidden size={12} className={`shrink-0 ${isMoving ? 'animate-turn' : ''}`} />
        {word}
        {cell.state === 'done' && (
          <span className="ml-auto font-normal text-faint">{formatDuration(cell.answer.ms)}</span>
        )}
      </span>
      <span className="line-clamp-3 break-words">
        <SoftText text={toCellText(cell)} />
      </span>
    </>
  );
}

export const AnswerCell = memo(Cell);
