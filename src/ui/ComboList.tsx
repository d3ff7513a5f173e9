import { useLayoutEffect, useRef, type RefObject } from 'react';
import { toListPlace } from './listPlace';
import type { ComboOption, Offer } from './options';

interface ComboListProps {
  id: string;
  label: string;
  offer: Offer;
  /** Value of the row that Enter would choose. */
  marked: string | null;
  /** The list stands below or above this element. */
  anchor: RefObject<HTMLElement | null>;
  onMark: (value: string | null) => void;
  onChoose: (value: string) => void;
}

/** Id of a row's element, for aria-activedescendant. */
const toRowId = (id: string, at: number) => `${id}-${at}`;

/** The open list of a ComboBox. The focus stays in the field: pressing here does not move it. */
export function ComboList({ id, label, offer, marked, anchor, onMark, onChoose }: ComboListProps) {
  const popup = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = popup.current;
    if (!element) return undefined;
    // The top layer: no panel clips it, and no ancestor's containment moves it.
    if (!element.matches(':popover-open')) element.showPopover();
    const place = () => {
      const field = anchor.current?.getBoundingClientRect();
      if (!field) return;
      const viewport = { width: window.innerWidth, height: window.innerHeight };
      element.style.minWidth = `${field.width}px`;
      element.style.maxHeight = '';
      const { left, top, bottom, maxHeight } = toListPlace(field, { width: element.offsetWidth, height: element.offsetHeight }, viewport);
      element.style.left = `${left}px`;
      element.style.top = top === null ? 'auto' : `${top}px`;
      element.style.bottom = bottom === null ? 'auto' : `${bottom}px`;
      element.style.maxHeight = `${maxHeight}px`;
    };
    place();
    const listeners = new AbortController();
    const { signal } = listeners;
    window.addEventListener('resize', place, { signal });
    window.addEventListener('scroll', (event) => event.target instanceof Node && !element.contains(event.target) && place(), { signal, capture: true, passive: true });
    return () => listeners.abort();
  }, [anchor, offer]);
  useLayoutEffect(() => {
    const row = popup.current?.querySelector('[aria-selected="true"]');
    // What the pointer marks is in view already; the list must not move under it.
    if (row && !row.matches(':hover')) row.scrollIntoView({ block: 'nearest' });
  }, [marked]);

  const renderRow = (option: ComboOption) => {
    const isMarked = option.value === marked;
    return (
      <div
        key={option.value}
        role="option"
        id={toRowId(id, offer.rows.indexOf(option))}
        aria-selected={isMarked}
        title={option.value}
        onPointerMove={() => !isMarked && onMark(option.value)}
        onClick={() => onChoose(option.value)}
        className="flex min-h-7 cursor-default scroll-my-1 flex-col justify-center rounded-md px-2 py-1 aria-selected:bg-accent-soft"
      >
        <span className="truncate">{option.label}</span>
        {(option.hint !== undefined || option.label !== option.value) && (
          <span className="truncate font-mono text-xs text-soft">{option.hint ?? option.value}</span>
        )}
      </div>
    );
  };
  return (
    <div
      ref={popup}
      popover="manual"
      onMouseDown={(event) => event.preventDefault()}
      onPointerLeave={() => onMark(null)}
      className="fixed inset-auto flex max-w-[min(28rem,calc(100vw-1rem))] flex-col overflow-hidden rounded-lg border border-line2 bg-surface text-ink shadow-pop"
    >
      <div role="listbox" id={id} aria-label={label} className="min-h-0 overflow-y-auto overscroll-contain p-1">
        {offer.groups.map((group, at) =>
          group.name === '' ? (
            group.items.map(renderRow)
          ) : (
            <div key={group.name} role="group" aria-labelledby={`${id}-group-${at}`}>
              <div id={`${id}-group-${at}`} role="presentation" className="px-2 pt-1.5 pb-0.5 text-xs font-semibold text-faint">
                {group.name}
              </div>
              {group.items.map(renderRow)}
            </div>
          ),
        )}
      </div>
      {offer.rows.length === 0 && <output className="block px-3 pb-2 text-sm text-soft">No options; type what you need.</output>}
      {offer.more > 0 && <p className="px-3 pb-1.5 text-sm text-soft">{offer.more} more; type to narrow the list.</p>}
    </div>
  );
}
