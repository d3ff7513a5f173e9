// The format that configs were last copied in, kept in this browser.
import { create } from 'zustand';
import { keep, readKept } from '#ui/storage/keptText.ts';

const KEY = 'studio.format';

/** The label of the format; null: none was used yet. */
export const useKeptFormat = create<{ readonly label: string | null }>(() => ({
  label: readKept('localStorage', KEY),
}));

export function keepFormat(label: string): void {
  useKeptFormat.setState({ label });
  keep('localStorage', KEY, label);
}
