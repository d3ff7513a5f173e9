// The shortest edit script between two sequences (Myers 1986, doi 10.1007/BF01840446, in linear space), with a budget
// of steps. Pure.

/** `after` replaces `before`; both exclude `end`. Changes come in order, and the sequences are equal between them. */
export interface Change {
  readonly before: { readonly start: number; readonly end: number };
  readonly after: { readonly start: number; readonly end: number };
}

/** A range of both sequences: `left` to `right` of the first, `top` to `bottom` of the second. */
interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** How many steps the search may still take. It counts down. */
export interface Budget {
  steps: number;
}

/** The middle snake of Myers' algorithm: a range that both share, relative to the box's corner. It may be empty. */
interface Middle {
  readonly fromX: number;
  readonly fromY: number;
  readonly toX: number;
  readonly toY: number;
}

type Ids = Int32Array;

/** The furthest point on diagonal `k` after one more change, from the left or from above; -1: outside the box. */
function step(furthest: Ids, at: number, k: number, d: number, width: number, height: number): number {
  if (d === 0) return 0;
  const before = k > -d ? (furthest[at - 1] ?? -1) : -1;
  const above = k < d ? (furthest[at + 1] ?? -1) : -1;
  const byRight = before >= 0 && before < width ? before + 1 : -1;
  const byDown = above >= 0 && above - k <= height ? above : -1;
  return Math.max(byRight, byDown);
}

/** Searches from both corners until the paths meet; null: the budget is spent. */
function findMiddle(
  a: Ids,
  b: Ids,
  { left, right, top, bottom }: Box,
  forward: Ids,
  backward: Ids,
  budget: Budget,
): Middle | null {
  const [width, height] = [right - left, bottom - top];
  const [delta, offset] = [width - height, height + 1];
  const most = Math.ceil((width + height) / 2);
  for (let d = 0; d <= most; d += 1) {
    if (budget.steps < 0) return null;
    // Diagonals outside the box are skipped.
    const [low, high] = [-d + 2 * Math.max(0, d - height), d - 2 * Math.max(0, d - width)];
    for (let k = low; k <= high; k += 2) {
      const fromX = step(forward, offset + k, k, d, width, height);
      let x = fromX;
      if (x >= 0) while (x < width && x - k < height && a[left + x] === b[top + x - k]) x += 1;
      forward[offset + k] = x;
      budget.steps -= 1 + x - fromX;
      const other = delta - k;
      if (x < 0 || delta % 2 === 0 || Math.abs(other) > d - 1) continue;
      const met = backward[offset + other] ?? -1;
      if (met >= 0 && x + met >= width) return { fromX, fromY: fromX - k, toX: x, toY: x - k };
    }
    for (let k = low; k <= high; k += 2) {
      const fromX = step(backward, offset + k, k, d, width, height);
      let x = fromX;
      if (x >= 0) while (x < width && x - k < height && a[right - 1 - x] === b[bottom - 1 - x + k]) x += 1;
      backward[offset + k] = x;
      budget.steps -= 1 + x - fromX;
      const other = delta - k;
      if (x < 0 || delta % 2 !== 0 || Math.abs(other) > d) continue;
      const met = forward[offset + other] ?? -1;
      if (met >= 0 && x + met >= width)
        return { fromX: width - x, fromY: height - x + k, toX: width - fromX, toY: height - fromX + k };
    }
  }
  return null;
}

/** The box without the common start and end. */
function trim(a: Ids, b: Ids, box: Box): Box {
  let { left, right, top, bottom } = box;
  while (left < right && top < bottom && a[left] === b[top]) [left, top] = [left + 1, top + 1];
  while (left < right && top < bottom && a[right - 1] === b[bottom - 1]) [right, bottom] = [right - 1, bottom - 1];
  return { left, right, top, bottom };
}

function toChanges(removed: Uint8Array, added: Uint8Array): readonly Change[] {
  const changes: Change[] = [];
  let [i, j] = [0, 0];
  while (i < removed.length || j < added.length) {
    const [startI, startJ] = [i, j];
    while (removed[i] === 1) i += 1;
    while (added[j] === 1) j += 1;
    if (i > startI || j > startJ) changes.push({ before: { start: startI, end: i }, after: { start: startJ, end: j } });
    else [i, j] = [i + 1, j + 1];
  }
  return changes;
}

/** The changes that turn `a` into `b`; null: the budget is spent. */
export function findChanges(a: Ids, b: Ids, budget: Budget): readonly Change[] | null {
  const [removed, added] = [new Uint8Array(a.length), new Uint8Array(b.length)];
  const size = a.length + b.length + 3;
  const [forward, backward] = [new Int32Array(size), new Int32Array(size)];
  const open: Box[] = [{ left: 0, right: a.length, top: 0, bottom: b.length }];
  for (let next = open.pop(); next; next = open.pop()) {
    const box = trim(a, b, next);
    const { left, right, top, bottom } = box;
    if (left === right || top === bottom) {
      removed.fill(1, left, right);
      added.fill(1, top, bottom);
      continue;
    }
    const middle = findMiddle(a, b, box, forward, backward, budget);
    if (middle === null) return null;
    open.push(
      { left, right: left + middle.fromX, top, bottom: top + middle.fromY },
      { left: left + middle.toX, right, top: top + middle.toY, bottom },
    );
  }
  return toChanges(removed, added);
}

/** A number for each text, equal for equal texts. */
export function toIds(known: Map<string, number>, texts: readonly string[]): Int32Array {
  return Int32Array.from(texts, (text) => {
    const id = known.get(text) ?? known.size;
    known.set(text, id);
    return id;
  });
}
