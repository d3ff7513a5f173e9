import { X } from 'lucide-react';
import { brushAxis, type Brush } from '#ui/plots/scales/brush.ts';
import { toBrushText } from '#ui/plots/scales/brushText.ts';

interface BrushChipsProps {
  brush: Brush;
  columns: readonly {
    readonly id: string;
    readonly label: string;
    readonly isMeasure: boolean;
    readonly toText?: ((category: string) => string) | undefined;
  }[];
  onBrush: (next: Brush) => void;
}

/**
 * The active filters, each with a button that removes it. A brush on an unknown column does nothing and is not shown.
 */
export function BrushChips({ brush, columns, onBrush }: BrushChipsProps) {
  const known = columns.filter((column) => brush.has(column.id));
  if (known.length === 0) return null;
  return (
    <ul aria-label="Filters" className="flex flex-wrap gap-1.5">
      {known.map((column) => {
        const chosen = brush.get(column.id);
        return (
          <li
            key={column.id}
            className="inline-flex h-6 max-w-full items-center gap-1 rounded-full bg-accent-soft pl-2.5 text-sm"
          >
            <span className="truncate">
              {column.label}: {chosen && toBrushText(chosen, column.isMeasure, column.toText)}
            </span>
            <button
              type="button"
              aria-label={`Remove filter ${column.label}`}
              onClick={() => onBrush(brushAxis(brush, column.id, null))}
              className="flex size-6 shrink-0 items-center justify-center rounded-full text-soft hover:text-ink"
            >
              <X aria-hidden size={12} />
            </button>
          </li>
        );
      })}
    </ul>
  );
}
