import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useState, type RefObject } from 'react';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { findPanesInView, toPlaceText, type PanesInView } from '#features/playground/web/desk/paneView.ts';

interface PanePagerProps {
  strip: RefObject<HTMLElement | null>;
  /** Ids of the panes in their order. */
  ids: readonly string[];
}

const ICON = { 'aria-hidden': true, size: 14 } as const;
/** Also a line, because forced colours show no shadows. */
const EDGE = 'pointer-events-none absolute top-8 bottom-0 z-10 w-4 from-ink/15 to-transparent max-[900px]:hidden';

const panesIn = (strip: HTMLElement): readonly HTMLElement[] => [
  ...strip.querySelectorAll<HTMLElement>(':scope > [data-pane]'),
];

const isSame = (a: PanesInView | null, b: PanesInView | null): boolean => a?.first === b?.first && a?.last === b?.last;

/** For panes out of view: says which panes are in view, steps to their neighbours, and marks an edge with more panes. */
export function PanePager({ strip, ids }: PanePagerProps) {
  const count = ids.length;
  const order = ids.join(' ');
  const [view, setView] = useState<PanesInView | null>(null);
  useEffect(() => {
    const box = strip.current;
    if (!box) return undefined;
    // Another order or another session has other elements.
    const panes = panesIn(box).slice(0, order.split(' ').length);
    const measure = (): void => {
      const next = findPanesInView(
        panes.map(({ offsetLeft, offsetWidth }) => ({ left: offsetLeft, width: offsetWidth })),
        box.scrollLeft,
        box.clientWidth,
      );
      setView((before) => (isSame(before, next) ? before : next));
    };
    measure();
    box.addEventListener('scroll', measure, { passive: true });
    const sizes = new ResizeObserver(measure);
    for (const element of [box, ...panes]) sizes.observe(element);
    return () => (box.removeEventListener('scroll', measure), sizes.disconnect());
  }, [strip, order]);
  if (view === null) return null;
  const { first, last } = view;
  const isFirst = first === 0;
  const isLast = last === count - 1;
  const show = (place: number) => {
    const pane = strip.current && panesIn(strip.current)[place];
    // The strip snaps to the start of a pane.
    if (pane) strip.current?.scrollTo({ left: pane.offsetLeft });
  };
  return (
    <>
      <fieldset
        aria-label="Panes in view"
        className={
          'flex min-h-8 shrink-0 items-center justify-end gap-0.5 border-b border-line bg-raised px-1.5 text-sm ' +
          'text-soft tabular-nums max-[900px]:hidden'
        }
      >
        <span>{toPlaceText(view, count)}</span>
        <IconButton
          label="Show previous pane"
          icon={<ChevronLeft {...ICON} />}
          onClick={() => show(first - 1)}
          disabledReason={isFirst ? 'the first one is in view' : null}
        />
        <IconButton
          label="Show next pane"
          icon={<ChevronRight {...ICON} />}
          onClick={() => show(first + 1)}
          disabledReason={isLast ? 'the last one is in view' : null}
        />
      </fieldset>
      {!isFirst && <i aria-hidden className={`${EDGE} left-0 border-l-2 border-line-strong bg-linear-to-r`} />}
      {!isLast && <i aria-hidden className={`${EDGE} right-0 border-r-2 border-line-strong bg-linear-to-l`} />}
    </>
  );
}
