import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { watchTooltips, type Tip } from './tooltipEvents';
import { toTooltipPlace } from './tooltipPlace';

/** Draws the tooltip of whatever is hovered or focused; one per page. */
export function TooltipLayer() {
  const [tip, setTip] = useState<Tip | null>(null);
  const bubble = useRef<HTMLDivElement>(null);
  useEffect(() => watchTooltips(setTip), []);
  useLayoutEffect(() => {
    const element = bubble.current;
    if (!element || !tip) return;
    const viewport = { width: window.innerWidth, height: window.innerHeight };
    const { left, top } = toTooltipPlace(tip.anchor.getBoundingClientRect(), element.getBoundingClientRect(), viewport);
    element.style.left = `${left}px`;
    element.style.top = `${top}px`;
  }, [tip]);
  if (!tip) return null;
  return (
    <div
      ref={bubble}
      role="tooltip"
      className="fixed top-0 left-0 z-50 w-max max-w-80 rounded-md bg-ink px-2 py-1 text-sm break-words text-surface shadow-pop"
    >
      {tip.text}
    </div>
  );
}
