import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { LAST_LOSS_HINT } from '#shared/training/trainingWords.ts';
import { WireName } from '#web/ui/WireName.tsx';

interface CompareRowNameProps extends Pick<ComponentProps<'button'>, 'tabIndex' | 'onFocus' | 'onKeyDown'> {
  'data-cell': string;
  name: string;
  sorted: 'ascending' | 'descending' | null;
  onSort: () => void;
}

/** A row's name, which sorts the columns by the row: ascending, descending, as they were. */
export function CompareRowName({ name, sorted, onSort, ...native }: CompareRowNameProps) {
  const Arrow = sorted === null ? ArrowUpDown : sorted === 'ascending' ? ArrowUp : ArrowDown;
  const look = sorted === null ? 'opacity-0 group-hover:opacity-60 group-focus-visible:opacity-60' : 'text-accent';
  return (
    <button
      {...native}
      type="button"
      title={`${name === 'last_loss' ? `${LAST_LOSS_HINT}. ` : ''}${name}: sort the columns by this row`}
      onClick={onSort}
      className="group flex min-h-6 w-full items-center gap-1 rounded px-1.5 text-left font-mono text-sm text-soft hover:text-ink"
    >
      <span className="line-clamp-3 min-w-0 leading-tight break-words">
        <WireName name={name} />
      </span>
      <Arrow aria-hidden size={12} className={`ml-auto shrink-0 ${look}`} />
    </button>
  );
}
