import { useLayoutEffect, useRef, type RefObject } from 'react';
import { CutText } from '#ui/kit/CutText.tsx';
import { toRowId, type ComboOption, type Offer } from './options.ts';

interface ComboListProps {
  id: string;
  label: string;
  offer: Offer;
  /** Index of the row that Enter would choose; -1: none. */
  markedAt: number;
  /** The list opens below this element. */
  anchor: RefObject<HTMLElement | null>;
  onMark: (value: string | null) => void;
  onChoose: (value: string) => void;
}

/** The open list of a ComboBox. Focus and keys stay in the field: rows are pressed, never focused. */
export function ComboList({ id, label, offer, markedAt, anchor, onMark, onChoose }: ComboListProps) {
  const popup = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // In the top layer no panel clips it. CSS places it at its source.
    if (anchor.current) popup.current?.showPopover({ source: anchor.current });
  }, [anchor]);
  useLayoutEffect(() => {
    const row = document.getElementById(toRowId(id, markedAt));
    // The row under the pointer is visible already, so the list must not scroll.
    if (row && !row.matches(':hover')) row.scrollIntoView({ block: 'nearest' });
  }, [id, markedAt]);

  const renderRow = (option: ComboOption) => {
    const at = offer.rows.indexOf(option);
    const row = {
      role: 'option',
      id: toRowId(id, at),
      'aria-selected': at === markedAt,
      onPointerMove: () => at !== markedAt && onMark(option.value),
      onClick: () => onChoose(option.value),
    };
    return (
      <div
        key={option.value}
        {...row}
        title={option.value}
        className={
          'flex min-h-7 cursor-default scroll-my-1 flex-col justify-center rounded-md px-2 py-1 ' +
          'aria-selected:bg-accent-soft'
        }
      >
        <span className="truncate">
          <CutText text={option.label} />
        </span>
        {(option.hint !== undefined || option.label !== option.value) && (
          <span className="truncate font-mono text-xs text-soft">{option.hint ?? option.value}</span>
        )}
      </div>
    );
  };
  // HTML has no filterable list, so roles make one.
  const list = { role: 'listbox', id, 'aria-label': label };
  return (
    <div
      ref={popup}
      popover="manual"
      role="presentation"
      onMouseDown={(event) => event.preventDefault()}
      onPointerLeave={() => onMark(null)}
      className={
        'below-source is-list my-1 mr-2 flex max-w-[min(28rem,calc(100vw-1rem))] flex-col overflow-hidden rounded-lg border ' +
        'border-line-strong bg-surface text-ink shadow-pop'
      }
    >
      <div {...list} className="min-h-0 overflow-y-auto overscroll-contain p-1">
        {offer.groups.map((group, at) => {
          const labelId = `${id}-group-${at}`;
          const part = group.name === '' ? { role: 'presentation' } : { role: 'group', 'aria-labelledby': labelId };
          return (
            <div key={group.name} {...part}>
              {group.name !== '' && (
                <div id={labelId} role="presentation" className="px-2 pt-1.5 pb-0.5 text-xs font-semibold text-faint">
                  {group.name}
                </div>
              )}
              {group.items.map(renderRow)}
            </div>
          );
        })}
      </div>
      {offer.rows.length === 0 && <p className="px-3 pb-2 text-sm text-soft">No options; type what you need.</p>}
      {offer.more > 0 && <p className="px-3 pb-1.5 text-sm text-soft">{offer.more} more; type to narrow the list.</p>}
    </div>
  );
}
