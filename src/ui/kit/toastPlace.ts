// Where toasts stand: as near as possible to the lower right corner, where they cover no control.

/** In pixels from the window's upper left corner. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

type Sized = Pick<Box, 'width' | 'height'>;

/** What a toast must not cover: controls, and areas that ask for it. */
const KEPT_CLEAR =
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
function toCovered(box: Box, { left, top }: Place, size: Sized): number {
  const across = Math.min(left + size.width, box.left + box.width + GAP) - Math.max(left, box.left - GAP);
  const down = Math.min(top + size.height, box.top + box.height + GAP) - Math.max(top, box.top - GAP);
  return across > 0 && down > 0 ? across * down : 0;
}

const isSeen = (box: Box, room: Sized): boolean =>
  box.width > 0 &&
  box.height > 0 &&
  box.left < room.width &&
  box.top < room.height &&
  box.left + box.width > 0 &&
  box.top + box.height > 0;

/** Places between the margin and the last one along an edge of the window. */
const countTries = (most: number): number => Math.floor((most - Math.min(MARGIN, most)) / STEP) + 1;

/**
 * The upper left corner of the toasts. `size`: of all of them; `room`: of the window. `last`: where they stand now; they
 * stay as long as nothing is below them. If there is no free place, they cover as little as possible.
 */
export function toToastPlace(kept: readonly Box[], size: Sized, room: Sized, last: Place | null): Place {
  const seen = kept.filter((box) => isSeen(box, room));
  const mostLeft = Math.max(0, room.width - size.width - MARGIN);
  const mostTop = Math.max(0, room.height - size.height - MARGIN);
  const measure = (place: Place): number => seen.reduce((sum, box) => sum + toCovered(box, place, size), 0);
  if (last && last.left <= mostLeft && last.top <= mostTop && measure(last) === 0) return last;
  const columns = countTries(mostLeft);
  const rows = countTries(mostTop);
  // Each box adds to the places that cover it, which are few: this runs again and again while toasts are shown.
  const covered = new Float64Array(columns * rows);
  const startOf = (most: number, end: number): number => Math.max(0, Math.floor((most - end - GAP) / STEP));
  const endOf = (most: number, side: number, start: number, tries: number): number =>
    Math.min(tries, Math.ceil((most + side - start + GAP) / STEP) + 1);
  for (const box of seen) {
    const endColumn = endOf(mostLeft, size.width, box.left, columns);
    const endRow = endOf(mostTop, size.height, box.top, rows);
    for (let column = startOf(mostLeft, box.left + box.width); column < endColumn; column += 1) {
      const left = mostLeft - column * STEP;
      for (let row = startOf(mostTop, box.top + box.height); row < endRow; row += 1) {
        const at = column * rows + row;
        covered[at] = (covered[at] ?? 0) + toCovered(box, { left, top: mostTop - row * STEP }, size);
      }
    }
  }
  let [best, least] = [0, Infinity];
  const toDistance = (at: number): number => Math.hypot(Math.floor(at / rows), at % rows);
  covered.forEach((area, at) => {
    if (area < least || (area === least && toDistance(at) < toDistance(best))) [best, least] = [at, area];
  });
  return { left: mostLeft - Math.floor(best / rows) * STEP, top: mostTop - (best % rows) * STEP };
}

/** Gives the place again and again while toasts are shown. It is looked for anew only once something has moved. */
export function trackToastPlace(): (kept: readonly Box[], size: Sized, room: Sized) => Place {
  let last: Place | null = null;
  let before = '';
  return (kept, size, room) => {
    const now = kept
      .map(({ left, top, width, height }) => `${left} ${top} ${width} ${height}`)
      .concat(`${size.width} ${size.height} ${room.width} ${room.height}`)
      .join();
    if (last === null || now !== before) [last, before] = [toToastPlace(kept, size, room, last), now];
    return last;
  };
}

/** Whether a dialog that is open shows the toasts, too. */
const isRepeated = (own: HTMLElement): boolean =>
  own.closest('dialog') === null &&
  document.querySelector(`dialog[open] [aria-label="${own.getAttribute('aria-label')}"]`) !== null;

/** Moves the toasts' element to its place whenever it is called, and hides it behind a dialog that shows the same. */
export function openToastPlace(own: HTMLElement): () => void {
  const toPlace = trackToastPlace();
  return () => {
    // Behind an open dialog nothing can be operated.
    const page = own.closest('dialog') ?? document;
    const kept = [...page.querySelectorAll(KEPT_CLEAR)].filter((element) => !own.contains(element));
    const { left, top } = toPlace(
      kept.map((element) => element.getBoundingClientRect()),
      own.getBoundingClientRect(),
      { width: window.innerWidth, height: window.innerHeight },
    );
    own.style.inset = `${top}px auto auto ${left}px`;
    own.style.visibility = isRepeated(own) ? 'hidden' : '';
  };
}
