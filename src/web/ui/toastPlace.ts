// Where toasts stand: as near as possible to the lower right corner, where they cover no control. Pure.

/** In pixels from the window's upper left corner. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** What a toast must not cover: controls, and areas that ask for it. */
export const KEPT_CLEAR =
  'button, a[href], input, textarea, select, summary, [role="treeitem"], [role="tab"], [role="slider"], ' +
  '[role="separator"], [data-place], [data-keep-clear]';

/** Between the toasts and the edges of the window, and between two tries. */
const MARGIN = 16;
const STEP = 16;
/** Between the toasts and what they don't cover. */
const GAP = 4;

interface Place {
  readonly left: number;
  readonly top: number;
}

/** The area of a box that is covered from a place, in square pixels; with the gap around the box. */
function toCovered(box: Box, { left, top }: Place, size: Pick<Box, 'width' | 'height'>): number {
  const across = Math.min(left + size.width, box.left + box.width + GAP) - Math.max(left, box.left - GAP);
  const down = Math.min(top + size.height, box.top + box.height + GAP) - Math.max(top, box.top - GAP);
  return across > 0 && down > 0 ? across * down : 0;
}

const isSeen = (box: Box, room: Pick<Box, 'width' | 'height'>): boolean =>
  box.width > 0 &&
  box.height > 0 &&
  box.left < room.width &&
  box.top < room.height &&
  box.left + box.width > 0 &&
  box.top + box.height > 0;

/**
 * The upper left corner of the toasts. `size`: of all of them; `room`: of the window. `last`: where they stand now; they
 * stay as long as nothing is below them. If there is no free place, they cover as little as possible.
 */
export function toToastPlace(
  kept: readonly Box[],
  size: Pick<Box, 'width' | 'height'>,
  room: Pick<Box, 'width' | 'height'>,
  last: Place | null,
): Place {
  const seen = kept.filter((box) => isSeen(box, room));
  const mostLeft = Math.max(0, room.width - size.width - MARGIN);
  const mostTop = Math.max(0, room.height - size.height - MARGIN);
  const measure = (place: Place): number => seen.reduce((sum, box) => sum + toCovered(box, place, size), 0);
  if (last && last.left <= mostLeft && last.top <= mostTop && measure(last) === 0) return last;
  const places: Place[] = [];
  for (let left = mostLeft; left >= Math.min(MARGIN, mostLeft); left -= STEP)
    for (let top = mostTop; top >= Math.min(MARGIN, mostTop); top -= STEP) places.push({ left, top });
  const toDistance = ({ left, top }: Place): number => Math.hypot(mostLeft - left, mostTop - top);
  let best: Place = { left: mostLeft, top: mostTop };
  let least = Infinity;
  for (const place of places.toSorted((a, b) => toDistance(a) - toDistance(b))) {
    const covered = measure(place);
    if (covered === 0) return place;
    if (covered < least) [best, least] = [place, covered];
  }
  return best;
}
