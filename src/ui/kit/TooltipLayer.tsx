import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { watchTooltips, type Tip } from './tooltipEvents.ts';

/**
 * Draws the tooltip of the hovered or focused element with `data-tip`; one per page. A tooltip is never the only source of
 * a fact.
 */
export function TooltipLayer() {
  const [tip, setTip] = useState<Tip | null>(null);
  const bubble = useRef<HTMLDivElement>(null);
  useEffect(() => watchTooltips(setTip), []);
  useLayoutEffect(() => {
    // Shown last, it is also above an open dialog. CSS places it at its source.
    if (tip) bubble.current?.showPopover({ source: tip.anchor });
  }, [tip]);
  if (!tip) return null;
  return createPortal(
    <div
      ref={bubble}
      role="tooltip"
      popover="manual"
      className={
        'below-source my-1.5 w-max max-w-80 overflow-visible rounded-md border-0 bg-ink px-2 py-1 text-sm ' +
        `font-normal whitespace-normal text-surface shadow-pop ${tip.isPointed ? '' : 'pointer-events-none'}`
      }
    >
      {tip.text}
    </div>,
    // With an open dialog, only its content is readable; otherwise the tooltip must be in a landmark.
    tip.anchor.closest('dialog') ?? document.querySelector('main') ?? document.body,
  );
}
