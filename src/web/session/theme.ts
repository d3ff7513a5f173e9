// The chosen theme: kept in this browser, applied as the class `dark` on <html>. public/theme.js applies it before the
// first paint and reads the same key.
import { useSyncExternalStore } from 'react';

export const THEME_CHOICES = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof THEME_CHOICES)[number];

export interface Theme {
  readonly choice: ThemeChoice;
  /** What is shown: the choice, or what the system asks for. */
  readonly isDark: boolean;
}

const KEY = 'studio.theme';
const listeners = new Set<() => void>();
let current: Theme | null = null;

/** Reads the kept text; whatever is damaged or absent means `system`. */
export function parseThemeChoice(text: unknown): ThemeChoice {
  return THEME_CHOICES.find((choice) => choice === text) ?? 'system';
}

function readKept(): ThemeChoice {
  try {
    return parseThemeChoice(window.localStorage.getItem(KEY));
  } catch {
    // Storage can be switched off; the theme then follows the system until chosen, and lives as long as the page.
    return 'system';
  }
}

function keep(choice: ThemeChoice): void {
  try {
    if (choice === 'system') window.localStorage.removeItem(KEY);
    else window.localStorage.setItem(KEY, choice);
  } catch {
    // See readKept: the choice holds for this page only.
  }
}

const systemQuery = (): MediaQueryList => window.matchMedia('(prefers-color-scheme: dark)');

function apply(choice: ThemeChoice): void {
  const isDark = choice === 'dark' || (choice === 'system' && systemQuery().matches);
  document.documentElement.classList.toggle('dark', isDark);
  if (current?.choice === choice && current.isDark === isDark) return;
  current = { choice, isDark };
  for (const listener of listeners) listener();
}

/** The theme now; the same object until it changes. */
export function readTheme(): Theme {
  if (!current) {
    const choice = readKept();
    current = { choice, isDark: choice === 'dark' || (choice === 'system' && systemQuery().matches) };
  }
  return current;
}

const onSystemChange = (): void => apply(readTheme().choice);
const onStorage = (event: StorageEvent): void => {
  // key is null when another tab clears everything.
  if (event.key === KEY || event.key === null) apply(readKept());
};

/** Calls `listener` when the theme changes: here, in another tab, or in the system. Returns the way to stop. */
export function subscribeTheme(listener: () => void): () => void {
  if (listeners.size === 0) {
    // Read before anything changes: a change is told only against what was there.
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

/** The theme; re-renders when it changes. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribeTheme, readTheme);
}

/** Chooses a theme for this browser, at once and from now on. */
export function chooseTheme(choice: ThemeChoice): void {
  keep(choice);
  apply(choice);
}
