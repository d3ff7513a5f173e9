import type { RowFile } from '#features/evaluation/web/grid/rowFile.ts';

/** A dialog of the grid. Rows and columns are indexes; a row of null is a new one. */
export type OpenedDialog =
  | { readonly kind: 'rows'; readonly file: RowFile | null }
  | { readonly kind: 'row'; readonly row: number | null }
  | { readonly kind: 'cell'; readonly row: number; readonly column: number }
  | { readonly kind: 'sent'; readonly column: number };
