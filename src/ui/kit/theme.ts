// The chosen theme: stored in this browser, applied as the class `dark` on <html>. public/theme.js applies it before
// the first paint and reads the same key.
import { useSyncExternalStore } from 'react';
import { keep, readKept } from '#ui/storage/keptText.ts';

export const THEME_CHOICES = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof THEME_CHOICES)[number];

export interface Theme {
  readonly choice: ThemeChoice;
  /** The theme on the page: the choice, or the system's theme. */
  readonly isDark: boolean;
}

const KEY = 'studio.theme';
const listeners = new Set<() => void>();
let current: Theme | null = null;

/** Parses the stored text; damaged or absent means `system`. */
export function parseThemeChoice(text: unknown): ThemeChoice {
  return THEME_CHOICES.find((choice) => choice === text) ?? 'system';
}

const readStored = (): ThemeChoice => parseThemeChoice(readKept('localStorage', KEY));

const systemQuery = (): MediaQueryList => window.matchMedia('(prefers-color-scheme: dark)');

function apply(choice: ThemeChoice): void {
  const isDark = choice === 'dark' || (choice === 'system' && systemQuery().matches);
  document.documentElement.classList.toggle('dark', isDark);
  if (current?.choice === choice && current.isDark === isDark) return;
  current = { choice, isDark };
  for (const listener of listeners) listener();
}

/** The current theme; the same object until it changes. */
export function readTheme(): Theme {
  if (!current) {
    const choice = readStored();
    current = { choice, isDark: choice === 'dark' || (choice === 'system' && systemQuery().matches) };
  }
  return current;
}

const onSystemChange = (): void => apply(readTheme().choice);
const onStorage = (event: StorageEvent): void => {
  // key is null when another tab clears everything.
  if (event.key === KEY || event.key === null) apply(readStored());
};

/** Calls `listener` when the theme changes: here, in another tab, or in the system. Returns a function that stops. */
export function subscribeTheme(listener: () => void): () => void {
  if (listeners.size === 0) {
    // Reads the theme first: a change is only found by comparing.
    readTheme();
    systemQuery().addEventListener('change', onSystemChange);
    window.addEventListener('storage', onStorage);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    systemQuery().removeEventListener('change', onSystemChange);
    window.removeEventListener('storage', onStorage);
  };
}

/** The current theme; renders again when it changes. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribeTheme, readTheme);
}

/** Chooses and stores a theme for this browser. */
export function chooseTheme(choice: ThemeChoice): void {
  keep('localStorage', KEY, choice === 'system' ? null : choice);
  apply(choice);
}
