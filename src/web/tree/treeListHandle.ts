// What the panel may ask of the list of rows.

export interface TreeListHandle {
  /** Scrolls, if need be, until the row is on show. */
  readonly showRow: (row: number) => void;
  /** Puts the keyboard into the tree. */
  readonly focus: () => void;
}
