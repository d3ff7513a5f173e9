// The format that configs were last copied in, kept in this browser.
import { create } from 'zustand';

const KEY = 'studio.format';

function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** The label of the format; null: none was used yet. */
export const useKeptFormat = create<{ readonly label: string | null }>(() => ({ label: read() }));

export function keepFormat(label: string): void {
  useKeptFormat.setState({ label });
  try {
    localStorage.setItem(KEY, label);
  } catch {
    // Storage can be switched off; the choice then lives as long as the page.
  }
}
