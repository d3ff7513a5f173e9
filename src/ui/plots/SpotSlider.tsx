import { useState, type ComponentProps, type KeyboardEvent } from 'react';
import type { Spot } from './scatterLayout.ts';
import { reduceWalk } from './spotWalk.ts';

interface SpotSliderProps extends ComponentProps<'div'> {
  label: string;
  spots: readonly Spot[];
  toText: (spot: Spot) => string;
  /** null: the focus has left. */
  onWalk: (spot: Spot | null) => void;
  /** For Enter and Escape; null: there is nothing to do. */
  onEnter: (() => void) | null;
  onEscape: (() => void) | null;
}

/** Arrow keys on one element reach thousands of points: a slider over them says each one. */
export function SpotSlider({ label, spots, toText, onWalk, onEnter, onEscape, ...native }: SpotSliderProps) {
  const [active, setActive] = useState<number | null>(null);
  const walk = (index: number | null) => {
    setActive(index);
    onWalk(index === null ? null : (spots[index] ?? null));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = reduceWalk(active, spots.length, event.key);
    if (next !== null) walk(next);
    else if (event.key === 'Enter' && onEnter) onEnter();
    else if (event.key === 'Escape' && onEscape) onEscape();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const spot = spots[active ?? 0];
  const slider = {
    role: 'slider',
    tabIndex: 0,
    'aria-label': label,
    'aria-valuemin': 1,
    'aria-valuemax': Math.max(1, spots.length),
    'aria-valuenow': (active ?? 0) + 1,
    'aria-valuetext': spot ? toText(spot) : 'no point',
    onKeyDown,
    onBlur: () => walk(null),
  };
  return <div {...native} {...slider} />;
}
