// What is pressed and typed in the message field before the playground can take it: its code or its session still loads.
import { useLayoutEffect, useSyncExternalStore, type KeyboardEvent, type RefObject } from 'react';

let text = '';
let isFocused = false;
const watchers = new Set<() => void>();

function setText(next: string): void {
  text = next;
  for (const watcher of watchers) watcher();
}

const subscribe = (watcher: () => void) => (watchers.add(watcher), () => void watchers.delete(watcher));

export const useEarlyText = (): string => useSyncExternalStore(subscribe, () => text);

/** Empties it. */
export function takeEarlyText(): string {
  const taken = text;
  if (taken !== '') setText('');
  return taken;
}

/** For a field that can't be written in yet. */
export function keepEarlyKey({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): void {
  if (ctrlKey || metaKey || altKey) return;
  if (key === 'Backspace') setText(text.slice(0, -1));
  else if (key.length === 1) setText(text + key);
}

/** The field takes the focus over from the one that it replaces. */
export function useHandedFocus(field: RefObject<HTMLTextAreaElement | null>): void {
  useLayoutEffect(() => {
    const { current } = field;
    if (isFocused) current?.focus();
    return () => {
      isFocused = current !== null && document.activeElement === current;
    };
  }, [field]);
}
