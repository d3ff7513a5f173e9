// What `grid` in the address means: a grid that this browser stores, or validation rows that a grid shall take. Pure.

export type GridAddress =
  | { readonly kind: 'stored'; readonly id: string }
  | { readonly kind: 'rows'; readonly snapshotId: string };

const ROWS = 'rows:';

/** The address of a grid with the validation rows of a snapshot. The grid that takes them gets an address of its own. */
export const toRowsAddress = (snapshotId: string): string => `${ROWS}${snapshotId}`;

export function parseGridAddress(text: string | null): GridAddress | null {
  if (text === null) return null;
  return text.startsWith(ROWS) ? { kind: 'rows', snapshotId: text.slice(ROWS.length) } : { kind: 'stored', id: text };
}
