// Files that may be on a mount which hangs. Each folder is a place of its own: one that is silent keeps no other waiting.
import { dirname } from 'node:path';
import type { Files } from './files.ts';
import { Place } from './mountCalls.ts';

/** A person may wait for the first call; the next ones are refused at once. */
const CALL_MS = 2_000;
/** Folders that are remembered though no call goes on about them. */
const MOST_PLACES = 64;

/** `calls`: those of the file system. */
export function openFilesCore(calls: Files, callMs = CALL_MS): Files {
  const places = new Map<string, Place>();

  function placeOf(path: string): Place {
    const folder = dirname(path);
    const known = places.get(folder);
    if (known) return known;
    const [oldest] = [...places].find(([, place]) => place.isIdle) ?? [];
    if (places.size >= MOST_PLACES && oldest !== undefined) places.delete(oldest);
    const place = new Place({ callMs });
    places.set(folder, place);
    return place;
  }

  return {
    find: (path) => placeOf(path).run(() => calls.find(path)),
    read: (path, at, length) => placeOf(path).run(() => calls.read(path, at, length)),
  };
}
