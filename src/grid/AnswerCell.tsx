import { memo } from 'react';
import { toPlainLine } from '../evaluation/distinctStarts';
import { formatDuration } from '../ui/format';
import { toCellLook } from './cellLook';
import { toCallLines, type CellVerdict, type GridCell } from './gridBook';
import { SoftText } from './SoftText';

interface AnswerCellProps {
  cell: GridCell;
  verdict: CellVerdict;
}

/** A cell shows the first lines: what can't be seen need not be laid out. */
const MAX_SHOWN = 400;

/** Marks of markdown say nothing where it is not drawn; the dialog has them. */
function textOf(cell: GridCell): string {
  if (cell.state === 'done') return [...toCallLines(cell.answer), toPlainLine(cell.answer.text.slice(0, 2 * MAX_SHOWN))].join('\n').trim() || '(empty answer)';
  return cell.state === 'failed' ? cell.message : '';
}

/** One answer in the table: its state, its first lines, how long it took. */
function Cell({ cell, verdict }: AnswerCellProps) {
  const { word, Icon, tone, isMoving } = toCellLook(cell, verdict);
  return (
    <>
      <span className={`flex items-center gap-1 text-xs font-medium ${tone}`}>
        <Icon aria-hidden size={12} className={`shrink-0 ${isMoving ? 'animate-turn' : ''}`} />
        {word}
        {cell.state === 'done' && <span className="ml-auto font-normal text-faint">{formatDuration(cell.answer.ms)}</span>}
      </span>
      <span className="line-clamp-3 break-words"><SoftText text={textOf(cell).trim().slice(0, MAX_SHOWN)} /></span>
    </>
  );
}

export const AnswerCell = memo(Cell);
