import { CircleArrowRight, Zap } from 'lucide-react';
import { useEffect, type MouseEvent } from 'react';
import { HighlightedText } from '#features/projects/web/HighlightedText.tsx';
import { NodeIcon } from '#features/projects/web/NodeIcon.tsx';
import { formatCount } from '#ui/kit/format.ts';
import { StatusBadge } from '#ui/kit/StatusBadge.tsx';
import type { PaletteRow, PaletteSection } from './usePaletteSections.ts';

interface PaletteListProps {
  id: string;
  sections: readonly PaletteSection[];
  /** Lower-case words that were looked for. */
  words: readonly string[];
  /** Key of the row that Enter chooses. */
  marked: string | undefined;
  onMark: (key: string) => void;
  /** `isAdded`: with Shift. */
  onChoose: (row: PaletteRow, isAdded: boolean) => void;
}

/** What was found, by kind. Focus and keys stay in the field: rows are pressed, never focused. */
export function PaletteList({ id, sections, words, marked, onMark, onChoose }: PaletteListProps) {
  useEffect(() => {
    const row = document.getElementById(`${id}-${marked}`);
    if (row && !row.matches(':hover')) row.scrollIntoView({ block: 'nearest' });
  }, [id, marked]);

  const renderRow = (row: PaletteRow) => {
    const option = {
      role: 'option',
      id: `${id}-${row.key}`,
      'aria-selected': row.key === marked,
      onPointerMove: () => row.key !== marked && onMark(row.key),
      onClick: (event: MouseEvent) => onChoose(row, event.shiftKey),
    };
    const Icon = row.onAdd ? CircleArrowRight : Zap;
    return (
      <div
        key={row.key}
        {...option}
        title={`${row.label} · ${row.hint}`}
        className={
          'flex min-h-8 cursor-default scroll-my-2 items-center gap-2 rounded-md px-2 py-1 ' +
          'aria-selected:bg-accent-soft'
        }
      >
        {row.node ? (
          <NodeIcon type={row.node.type} />
        ) : (
          <Icon aria-hidden size={14} strokeWidth={1.6} className="shrink-0 text-faint" />
        )}
        <span className="max-w-[60%] shrink-0 truncate">
          <HighlightedText text={row.label} words={words} />
        </span>
        <span className="min-w-0 flex-1 truncate text-sm text-soft">
          <HighlightedText text={row.hint} words={words} />
        </span>
        {row.onAdd && row.key === marked && <span className="shrink-0 text-xs text-soft">Shift Enter adds a pane</span>}
        {row.node?.status != null && <StatusBadge status={row.node.status} cause={row.node.cause} />}
      </div>
    );
  };
  // No element of HTML is a list that filters: roles make it one.
  const list = { role: 'listbox', id, 'aria-label': 'Search results' };
  return (
    <div {...list} className="min-h-0 overflow-y-auto overscroll-contain p-1.5">
      {sections.map(({ name, rows, more }) => {
        const group = { role: 'group', 'aria-labelledby': `${id}-${name}` };
        return (
          <div key={name} {...group}>
            <div id={`${id}-${name}`} role="presentation" className="px-2 pt-2 pb-1 text-xs font-semibold text-faint">
              {name}
              {more > 0 && ` · ${formatCount(rows.length)} shown and ${formatCount(more)} more`}
            </div>
            {rows.map(renderRow)}
          </div>
        );
      })}
    </div>
  );
}
