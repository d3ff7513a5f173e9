import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { keyEdge, moveEdge, type EdgePair, type Widths } from './edgeMove.ts';

interface PanelEdgeProps {
  /** Accessible name: what the edge changes. */
  label: string;
  /** Id of the panel whose width it says. */
  controls: string;
  pair: EdgePair;
  onMove: (widths: Widths) => void;
}

const LINE =
  'relative z-10 w-px shrink-0 h-auto cursor-col-resize touch-none overflow-visible border-0 bg-line ' +
  'outline-none before:absolute before:inset-y-0 before:-inset-x-1 hover:bg-accent focus-visible:bg-accent';

/** The edge between two panels: dragged, or moved by arrow keys, Home and End. */
export function PanelEdge({ label, controls, pair, onMove }: PanelEdgeProps) {
  const edge = useRef<HTMLHRElement>(null);
  const drag = useRef<{ readonly x: number; readonly pair: EdgePair; readonly width: number } | null>(null);
  const [isDragged, setDragged] = useState(false);
  const onPointerDown = (event: PointerEvent) => {
    const width = edge.current?.parentElement?.clientWidth ?? 0;
    if (event.button !== 0 || width === 0) return;
    event.preventDefault();
    edge.current?.setPointerCapture(event.pointerId);
    edge.current?.focus();
    drag.current = { x: event.clientX, pair, width };
    setDragged(true);
  };
  const onPointerMove = (event: PointerEvent) => {
    const from = drag.current;
    if (from) onMove(moveEdge(from.pair, from.pair.left + ((event.clientX - from.x) / from.width) * 100));
  };
  const end = () => {
    drag.current = null;
    setDragged(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = keyEdge(pair, event.key);
    if (to === null) return;
    event.preventDefault();
    onMove(moveEdge(pair, to));
  };
  // A separator that takes the focus is a control (ARIA 1.2).
  const control = { tabIndex: 0, onPointerDown, onPointerMove, onPointerUp: end, onPointerCancel: end, onKeyDown };
  return (
    <hr
      ref={edge}
      {...control}
      aria-label={label}
      aria-controls={controls}
      aria-orientation="vertical"
      aria-valuemin={Math.round(pair.minLeft)}
      aria-valuemax={Math.round(Math.max(pair.minLeft, pair.left + pair.right - pair.minRight))}
      aria-valuenow={Math.round(pair.left)}
      className={`${LINE} ${isDragged ? 'bg-accent' : ''}`}
    />
  );
}
