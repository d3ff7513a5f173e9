// The list of changes in a project while it was open, as plain data. activity.ts updates it, and loads with the first
// change.

export interface ActivityChange {
  readonly kind: 'status' | 'added' | 'removed';
  readonly id: string;
  readonly type: string;
  readonly label: string;
  /** "Ticket triage › Snapshot 1": the labels above it, without the project. */
  readonly path: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly beneath: number;
}

export interface ActivityEntry extends ActivityChange {
  /** Increases over the life of the list. */
  readonly number: number;
  /** When the page learned of the change, in Unix ms. */
  readonly at: number;
}

export interface Activity {
  readonly entries: readonly ActivityEntry[];
  /** Number of entries added while the list was closed. */
  readonly unseen: number;
  readonly total: number;
}

export const NO_ACTIVITY: Activity = { entries: [], unseen: 0, total: 0 };
