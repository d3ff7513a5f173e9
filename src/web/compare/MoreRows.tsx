import { ChevronRight } from 'lucide-react';
import { toMoreText } from '#shared/training/manyFigures.ts';

interface MoreRowsProps {
  count: number;
  isOpen: boolean;
  /** Its place among all rows, from 1, with the head. */
  row: number;
  /** Cells of a row. */
  span: number;
  onToggle: () => void;
}

/** The row that unfolds the figures beyond the first few. */
export function MoreRows({ count, isOpen, row, span, onToggle }: MoreRowsProps) {
  return (
    <tr aria-rowindex={row} className="h-8">
      <th scope="row" colSpan={span} className="border-t border-line px-1.5 py-0.5 text-left font-normal">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={onToggle}
          className="sticky left-1.5 inline-flex min-h-6 items-center gap-1 rounded px-1.5 text-sm text-accent hover:underline"
        >
          <ChevronRight aria-hidden size={12} className={isOpen ? 'rotate-90' : ''} />
          {toMoreText(count)}
        </button>
      </th>
    </tr>
  );
}
