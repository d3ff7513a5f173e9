// The kind of plot that was last chosen in this browser.
const KEY = 'studio.plot';

/** null: none was. */
export function readKeptPlot(): string | null {
  try {
    return window.localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function keepPlot(kind: string): void {
  try {
    window.localStorage.setItem(KEY, kind);
  } catch {
    // Storage can be switched off; the address then keeps the choice.
  }
}
