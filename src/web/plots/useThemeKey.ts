// Tells a canvas that the colours changed: what is painted doesn't follow the theme's tokens by itself.
import { useSyncExternalStore } from 'react';

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['class'] });
  return () => observer.disconnect();
}

/** A text that is another one in another theme. */
export function useThemeKey(): string {
  return useSyncExternalStore(subscribe, () => document.documentElement.className);
}
