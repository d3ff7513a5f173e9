import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { watchTooltips, type Tip } from './tooltipEvents.ts';
import { toTooltipPlace } from './tooltipPlace.ts';

/** Draws the tooltip of whatever is hovered or focused; one per page. */
export function TooltipLayer() {
  const [tip, setTip] = useState<Tip | null>(null);
  const bubble = useRef<HTMLDivElement>(null);
  useEffect(() => watchTooltips(setTip), []);
  useLayoutEffect(() => {
    const element = bubble.current;
    if (!element || !tip) return;
    // Above an open dialog too: shown last, it is the topmost.
    element.showPopover();
    const viewport = { width: window.innerWidth, height: window.innerHeight };
    const { left, top } = toTooltipPlace(tip.anchor.getBoundingClientRect(), element.getBoundingClientRect(), viewport);
    element.style.left = `${left}px`;
    element.style.top = `${top}px`;
  }, [tip]);
  if (!tip) return null;
  return createPortal(
    <div
      ref={bubble}
      role="tooltip"
      popover="manual"
      className={
        'fixed inset-auto m-0 w-max max-w-80 overflow-visible rounded-md border-0 bg-ink px-2 py-1 text-sm ' +
        'font-normal break-words whitespace-normal text-surface shadow-pop'
      }
    >
      {tip.text}
    </div>,
    // Outside an open dialog nothing can be read; outside a landmark it is not found.
    tip.anchor.closest('dialog') ?? document.querySelector('main') ?? document.body,
  );
}
