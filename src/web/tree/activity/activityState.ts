// The list of what changed in a project while it was on screen, as plain data. How it grows is activity.ts, which is
// loaded with the first change.

export interface ActivityEntry {
  /** Counts up over the life of the list. */
  readonly number: number;
  /** Unix ms at which the page learned of it. */
  readonly at: number;
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

export interface Activity {
  readonly entries: readonly ActivityEntry[];
  /** Entries that came while the list was closed. */
  readonly unseen: number;
  readonly total: number;
}

export const NO_ACTIVITY: Activity = { entries: [], unseen: 0, total: 0 };
