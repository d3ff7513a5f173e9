import { useVirtualizer } from '@tanstack/react-virtual';
import { useId, useRef, useState, type KeyboardEvent } from 'react';
import { formatCount } from '#ui/kit/format.ts';
import { toGist, type WireEvent } from './wireEvents.ts';
import { SCROLLING } from '#ui/kit/scrolling.ts';

interface InspectorEventsProps {
  events: readonly WireEvent[];
}

const ROW = 22;
/** Shows this many characters of a larger event. Copy and download take all of it. */
const SHOWN = 100_000;

const toTime = (ms: number | null): string => (ms === null ? '' : formatCount(Number(ms.toFixed(1))));

/** Lists the events of an answer, one line each; below the list is the raw text of the chosen event. */
export function InspectorEvents({ events }: InspectorEventsProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const virtualizer = useVirtualizer({
    count: events.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 8,
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / ROW) - 1);
    const next = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: events.length - 1,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const place = Math.min(events.length - 1, Math.max(0, next));
    setActive(place);
    virtualizer.scrollToIndex(place);
  };
  const rows = virtualizer.getVirtualItems();
  const isDrawn = rows.some(({ index }) => index === active);
  // A native list can't virtualize thousands of rows.
  const list = {
    role: 'listbox',
    tabIndex: 0,
    'aria-label': 'Response events',
    'aria-activedescendant': isDrawn ? `${id}-${active}` : undefined,
    onKeyDown,
  };
  const toOption = (index: number) => ({
    role: 'option',
    id: `${id}-${index}`,
    'aria-selected': index === active,
    'aria-posinset': index + 1,
    'aria-setsize': events.length,
    onMouseDown: () => setActive(index),
  });
  const chosen = events[active]?.text ?? '';
  return (
    <div className="flex min-h-0 flex-col gap-2">
      <div
        ref={box}
        {...list}
        className="h-[38vh] overflow-y-auto rounded-lg border border-line bg-raised font-mono text-xs"
      >
        <div className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {rows.map(({ index, start }) => (
            <div
              key={index}
              {...toOption(index)}
              style={{ transform: `translateY(${start}px)`, height: ROW }}
              className="absolute inset-x-0 top-0 flex cursor-default items-center gap-2.5 px-2 aria-selected:bg-select"
            >
              <span className="w-10 shrink-0 text-right text-faint tabular-nums">{index + 1}</span>
              <span className="w-20 shrink-0 text-right whitespace-nowrap text-soft tabular-nums">
                {toTime(events[index]?.ms ?? null)}
              </span>
              <span className="min-w-0 flex-1 truncate">{toGist(events[index]?.text ?? '')}</span>
            </div>
          ))}
        </div>
      </div>
      <pre
        {...SCROLLING}
        aria-label="Chosen event"
        className={
          'max-h-[22vh] min-h-16 overflow-y-auto rounded-lg border border-line bg-raised px-2.5 py-1.5 font-mono ' +
          'text-xs [overflow-wrap:anywhere] whitespace-pre-wrap'
        }
      >
        {chosen.length > SHOWN ? `${chosen.slice(0, SHOWN)}…` : chosen}
      </pre>
    </div>
  );
}
