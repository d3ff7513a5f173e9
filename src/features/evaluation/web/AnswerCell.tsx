import { memo } from 'react';
import { formatDuration } from '#ui/kit/format.ts';
import { toCellLook, toCellReason } from '#features/evaluation/web/cells/cellLook.ts';
import type { CellVerdict, GridCell } from '#features/evaluation/web/cells/gridBook.ts';
import { toCellText } from '#features/evaluation/web/cells/gridWords.ts';
import { SoftText } from './SoftText.tsx';

interface AnswerCellProps {
  cell: GridCell;
  verdict: CellVerdict;
}

/** One answer in the table: its state, its first lines, how long it took. */
function Cell({ cell, verdict }: AnswerCellProps) {
  const { word, Icon, tone, isMoving } = toCellLook(cell, verdict);
  const reason = toCellReason(cell, verdict);
  return (
    <>
      <span className={`flex items-center gap-1 text-xs font-medium ${tone}`} title={reason ?? undefined}>
        <Icon aria-hidden size={12} className={`shrink-0 ${isMoving ? 'animate-turn' : ''}`} />
        <span className="shrink-0">{word}</span>
        {reason !== null && <span className="min-w-0 truncate font-normal">{reason}</span>}
        {cell.state === 'done' && (
          <span className="ml-auto shrink-0 font-normal text-faint">{formatDuration(cell.answer.ms)}</span>
        )}
      </span>
      <span className="line-clamp-3">
        <SoftText text={toCellText(cell)} />
      </span>
    </>
  );
}

export const AnswerCell = memo(Cell);
