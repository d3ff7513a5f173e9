// The place that is pointed at, in all plots at once. It changes with each move of the pointer, so it is not state of
// the panel: only what shows it renders again.
import { useSyncExternalStore } from 'react';

export interface PointedPlace {
  /** On the x axis that all plots share. */
  readonly x: number;
  /** Key of the plot that is pointed at. */
  readonly plot: string;
  /** Height in pixels in that plot; null: moved by keys. */
  readonly y: number | null;
}

export interface SharedPointer {
  readonly read: () => PointedPlace | null;
  readonly set: (place: PointedPlace | null) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

export function createPointer(): SharedPointer {
  let place: PointedPlace | null = null;
  const listeners = new Set<() => void>();
  return {
    read: () => place,
    set(next) {
      if (next === place || (next && place && next.x === place.x && next.y === place.y && next.plot === place.plot))
        return;
      place = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export const usePointed = (pointer: SharedPointer): PointedPlace | null =>
  useSyncExternalStore(pointer.subscribe, pointer.read, pointer.read);
