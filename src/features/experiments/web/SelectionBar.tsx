import { Columns3, ListX, Play } from 'lucide-react';
import type { ReactNode } from 'react';
import { MAX_MODELS, updateUrl, useUrlState } from '#ui/address/urlState.ts';
import { Button } from '#ui/kit/Button.tsx';
import { formatCount } from '#ui/kit/format.ts';

interface SelectionBarProps {
  /** How many of the compared runs are experiments of this table. */
  here: number;
  /** Models of the compared experiments here that can be tried, each once. */
  models: readonly string[];
  /** Exports the selected experiments of this table. */
  exportMenu: ReactNode;
  onTry: (models: readonly string[]) => void;
  onClear: () => void;
}

/** Actions on the selected experiments. The bar is below the table, so a tick never moves the next row. */
export function SelectionBar({ here, models, exportMenu, onTry, onClear }: SelectionBarProps) {
  const { compare } = useUrlState();
  const count = compare.length;
  if (count === 0) return null;
  const offered = models.slice(0, MAX_MODELS);
  const noModel = offered.length === 0 ? 'None of the selected runs here has a model that can be tried.' : null;
  return (
    <div
      className={
        // As far down as the padding of the box around it, so that no text shows below.
        '-bottom-4 z-10 flex flex-wrap items-center gap-2 rounded-lg border border-line bg-surface px-3 py-1.5 ' +
        '@min-[480px]:sticky print:hidden'
      }
    >
      <span className="text-soft">
        {formatCount(count)} selected{here < count && `, ${here === 0 ? 'none' : formatCount(here)} of them here`}
      </span>
      <Button variant="primary" size="small" onClick={() => updateUrl({ tab: 'compare' })}>
        <Columns3 aria-hidden size={13} />
        Compare {formatCount(count)}
      </Button>
      <Button
        size="small"
        disabledReason={noModel}
        title={
          models.length > MAX_MODELS
            ? `Opens the first ${MAX_MODELS} of ${formatCount(models.length)}: there is room for no more panes`
            : undefined
        }
        onClick={() => onTry(offered)}
      >
        <Play aria-hidden size={12} />
        Open {offered.length} <span className="@max-[480px]:sr-only">in playground</span>
      </Button>
      {noModel !== null && <span className="min-w-0 text-sm text-soft">{noModel}</span>}
      {here > 0 && (
        // The menu's buttons are taller than the bar's; the margin keeps the bar's height.
        <span className="-my-0.5 inline-flex flex-wrap items-center gap-x-3">
          {exportMenu}
          <Button
            size="small"
            variant="quiet"
            title="Removes the runs of this table from the comparison"
            onClick={onClear}
          >
            <ListX aria-hidden size={14} />
            <span className="@max-[680px]:sr-only">Clear</span>
          </Button>
        </span>
      )}
    </div>
  );
}
