// Which of the playground's dialogs is open, one at a time.
import { create } from 'zustand';

export type DialogName = 'sessions' | 'presets' | 'share' | 'share-grid' | 'examples' | 'code';

interface DialogState {
  readonly name: DialogName | null;
  /** The pane that the dialog belongs to; null: all panes. */
  readonly paneId: string | null;
}

export const useDialog = create<DialogState>(() => ({ name: null, paneId: null }));

export function openDialog(name: DialogName, paneId: string | null = null): void {
  useDialog.setState({ name, paneId });
}

export function closeDialog(): void {
  useDialog.setState({ name: null, paneId: null });
}
