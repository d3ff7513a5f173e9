import { ListPlus } from 'lucide-react';
import { useEffect } from 'react';
import { formatCount } from '#ui/kit/format.ts';
import { openDialog } from '#ui/commands/dialogs.ts';
import { useTrainingRows, loadTrainingRows } from '#features/playground/web/sessions/trainingRows.ts';

/** The number of collected training examples. Hidden while there are none. */
export function ExampleChip() {
  const count = useTrainingRows(({ rows }) => rows?.length ?? 0);
  useEffect(() => void loadTrainingRows().catch(() => undefined), []);
  if (count === 0) return null;
  const name = `${formatCount(count)} training ${count === 1 ? 'example' : 'examples'}`;
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-label={name}
      data-tip={name}
      onClick={() => openDialog({ kind: 'examples' })}
      className={
        'flex h-6 shrink-0 items-center gap-1 rounded-md bg-accent-soft px-1.5 text-sm font-medium text-accent ' +
        'tabular-nums'
      }
    >
      <ListPlus aria-hidden size={13} /> {formatCount(count)}
    </button>
  );
}
