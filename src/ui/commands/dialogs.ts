// The dialog that is open, one at a time, and what it is about. It opens from anywhere; what shows it may mount later.
import { create } from 'zustand';
import type { TreeNode } from '#core/contract/projectReader.ts';

/** Shown within the playground, which knows their models. */
const PLAYGROUND_DIALOGS = ['sessions', 'presets', 'share', 'share-grid', 'examples', 'code'] as const;

export interface PlaygroundDialog {
  readonly kind: (typeof PLAYGROUND_DIALOGS)[number];
  /** The pane that the dialog belongs to; absent: all panes. */
  readonly paneId?: string;
}

export type PageDialog =
  | { readonly kind: 'new-project' | 'make-data' | 'new-snapshot' | 'compare-snapshots' | 'deleted' | 'export-project' }
  | { readonly kind: 'run-folders' | 'activity-log' | 'sign-out' | 'shortcuts' }
  | { readonly kind: 'add-data' | 'import-project'; readonly file?: File }
  | { readonly kind: 'rename'; readonly node: TreeNode }
  /** The ways to chat with the saved weights of a run of a folder. */
  | { readonly kind: 'run-chat'; readonly runId: string }
  | {
      readonly kind: 'start-training';
      /** Absent: the dialog asks for one. */
      readonly snapshotId?: string;
      /** The job whose runs are offered again; absent: those of the recommendation are. */
      readonly jobId?: string;
    };

const useStore = create<{ readonly dialog: PageDialog | PlaygroundDialog | null }>(() => ({ dialog: null }));

export const openDialog = (dialog: PageDialog | PlaygroundDialog): void => useStore.setState({ dialog });

export const closeDialog = (): void => useStore.setState({ dialog: null });

const isOfPlayground = (dialog: PageDialog | PlaygroundDialog): dialog is PlaygroundDialog =>
  PLAYGROUND_DIALOGS.some((kind) => kind === dialog.kind);

export const usePageDialog = (): PageDialog | null =>
  useStore(({ dialog }) => (dialog && !isOfPlayground(dialog) ? dialog : null));

export const usePlaygroundDialog = (): PlaygroundDialog | null =>
  useStore(({ dialog }) => (dialog && isOfPlayground(dialog) ? dialog : null));
