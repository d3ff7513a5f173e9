// What the panel can do with the list of rows.

export interface TreeListHandle {
  /** Scrolls, if needed, until the row is visible. */
  readonly showRow: (row: number) => void;
  /** Moves the keyboard focus into the tree. */
  readonly focus: () => void;
}
