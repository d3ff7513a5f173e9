// Differences of two answers of any length, word by word where that can be done at once. Pure.
// It must not know how differences look.
import { toWordDiff, type DiffPart } from './wordDiff';

/** A comparison of longer texts would hold the page up. What both begin and end with does not count. */
export const MAX_COMPARED = 60_000;

/** How far both texts are the same, up to the last white space before they part. */
function sharedStart(before: string, after: string): number {
  const most = Math.min(before.length, after.length);
  let end = 0;
  while (end < most && before[end] === after[end]) end += 1;
  if (end === before.length && end === after.length) return end;
  while (end > 0 && !/\s/.test(before[end - 1] ?? '')) end -= 1;
  return end;
}

function sharedEnd(before: string, after: string, start: number): number {
  const most = Math.min(before.length, after.length) - start;
  let length = 0;
  while (length < most && before[before.length - 1 - length] === after[after.length - 1 - length]) length += 1;
  while (length > 0 && !/\s/.test(before[before.length - length] ?? '')) length -= 1;
  return length;
}

/** null: what differs is too long to be compared. */
export function toBoundedDiff(before: string, after: string): readonly DiffPart[] | null {
  if (before.length + after.length <= MAX_COMPARED) return toWordDiff(before, after);
  const start = sharedStart(before, after);
  const end = sharedEnd(before, after, start);
  const [old, now] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  if (old.length + now.length > MAX_COMPARED) return null;
  const parts: DiffPart[] = [{ kind: 'same', text: after.slice(0, start) }, ...toWordDiff(old, now), { kind: 'same', text: after.slice(after.length - end) }];
  return parts.filter(({ text }) => text !== '');
}
