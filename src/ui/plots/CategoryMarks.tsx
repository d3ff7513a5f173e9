import { useId, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { CutText } from '#ui/kit/CutText.tsx';
import type { CategoryAxis } from '#ui/plots/scales/axes.ts';
import { matchesAxis, type AxisBrush } from '#ui/plots/scales/brush.ts';
import { toggleValue } from './brushDrag.ts';
import { toShownCategories } from '#ui/plots/scales/categories.ts';
import { reduceWalk } from './spotWalk.ts';
import { toCategoryFraction } from '#ui/plots/scales/scale.ts';

interface CategoryMarksProps {
  axis: CategoryAxis;
  chosen: AxisBrush | undefined;
  /** Height of the stretch in pixels, and how wide a label may be. */
  pixels: number;
  labelWidth: number;
  onChoose: (choice: AxisBrush | null) => void;
}

/** The categories of an axis as a list to choose from; where they are too close, only some are labelled. */
export function CategoryMarks({ axis, chosen, pixels, labelWidth, onChoose }: CategoryMarksProps) {
  const id = useId();
  const [active, setActive] = useState<number | null>(null);
  const isIn = (category: string): boolean => chosen?.kind === 'values' && matchesAxis(chosen, category);
  const shown = toShownCategories(axis.categories, pixels, active);
  const onKeyDown = (event: KeyboardEvent) => {
    const current = axis.categories[active ?? -1];
    const next = reduceWalk(active ?? 0, axis.categories.length, event.key, -1);
    if (next !== null) setActive(next);
    else if ((event.key === ' ' || event.key === 'Enter') && current !== undefined)
      onChoose(toggleValue(chosen, current));
    else if (event.key === 'Escape' && chosen) onChoose(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  // No element of HTML is a list whose options stand along an axis: roles make it one.
  const list = {
    role: 'listbox',
    'aria-label': axis.label,
    'aria-multiselectable': true,
    'aria-activedescendant': active === null ? undefined : `${id}${active}`,
    tabIndex: 0,
    onKeyDown,
    onFocus: () => setActive((now) => now ?? 0),
    onBlur: () => setActive(null),
  };
  return (
    <div {...list} className="absolute inset-0 rounded-sm">
      {shown.map((index) => {
        const category = axis.categories[index] ?? '';
        const isChosen = isIn(category);
        const option = {
          role: 'option',
          id: `${id}${index}`,
          'aria-selected': isChosen,
          'aria-posinset': index + 1,
          'aria-setsize': axis.categories.length,
          onPointerDown: (event: PointerEvent) => event.stopPropagation(),
          onClick: () => onChoose(toggleValue(chosen, category)),
        };
        return (
          <span
            key={category}
            {...option}
            title={axis.toText(category)}
            style={{ bottom: `${toCategoryFraction(axis, index) * 100}%`, maxWidth: labelWidth }}
            className={
              'absolute right-full mr-1 translate-y-1/2 cursor-pointer truncate rounded-sm px-0.5 text-2xs ' +
              '[print-color-adjust:exact] ' +
              `${isChosen ? 'bg-accent text-on-accent' : 'bg-surface text-soft'} ` +
              `${index === active ? 'outline-2 outline-accent' : ''}`
            }
          >
            <CutText text={axis.toText(category)} />
          </span>
        );
      })}
      {axis.categories.map((category, index) =>
        isIn(category) ? (
          <span
            key={category}
            style={{ bottom: `${toCategoryFraction(axis, index) * 100}%` }}
            className={
              'pointer-events-none absolute inset-x-0 h-2.5 translate-y-1/2 rounded-sm border border-accent ' +
              'bg-accent/20'
            }
          />
        ) : null,
      )}
    </div>
  );
}
