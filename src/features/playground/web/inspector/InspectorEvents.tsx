import { Fragment, useId, useState, type KeyboardEvent } from 'react';
import { findNextPlace } from '#ui/grid/gridKeys.ts';
import { useScrollWindow } from '#ui/grid/useScrollWindow.ts';
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
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const [active, setActive] = useState(0);
  const { slots, after, from, to, show } = useScrollWindow({
    box,
    count: events.length,
    size: ROW,
    before: 0,
    kept: null,
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.floor((box?.clientHeight ?? 0) / ROW);
    const span = { rows: events.length, columns: null, firstColumn: 0, page };
    const next = findNextPlace(event, { row: active, column: 0 }, span);
    if (next === null) return;
    event.preventDefault();
    setActive(next.row);
    show(next.row);
  };
  // A native list can't virtualize thousands of rows.
  const list = {
    role: 'listbox',
    tabIndex: 0,
    'aria-label': 'Response events',
    'aria-activedescendant': active >= from && active < to ? `${id}-${active}` : undefined,
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
        ref={setBox}
        {...list}
        className="h-[38vh] overflow-y-auto [overflow-anchor:none] rounded-lg border border-line bg-raised font-mono text-xs"
      >
        {slots.map(({ item, gap }) => (
          <Fragment key={item}>
            {gap > 0 && <div style={{ height: gap }} />}
            <div
              {...toOption(item)}
              style={{ height: ROW }}
              className="flex cursor-default items-center gap-2.5 px-2 aria-selected:bg-selected"
            >
              <span className="w-10 shrink-0 text-right text-faint tabular-nums">{item + 1}</span>
              <span className="w-20 shrink-0 text-right whitespace-nowrap text-soft tabular-nums">
                {toTime(events[item]?.ms ?? null)}
              </span>
              <span className="min-w-0 flex-1 truncate">{toGist(events[item]?.text ?? '')}</span>
            </div>
          </Fragment>
        ))}
        <div style={{ height: after }} />
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
