// Short texts that this browser, or a tab of it, keeps. Storage can be full or switched off: a text then lasts as long as
// the page that knows it.

type Place = 'localStorage' | 'sessionStorage';

export function readKept(place: Place, key: string): string | null {
  try {
    return globalThis[place].getItem(key);
  } catch {
    return null;
  }
}

/** null: keeps nothing more under `key`. */
export function keep(place: Place, key: string, text: string | null): void {
  try {
    if (text === null) globalThis[place].removeItem(key);
    else globalThis[place].setItem(key, text);
  } catch {
    // See above.
  }
}
