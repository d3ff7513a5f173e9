// Who changed a row, as a column of text keeps it: the name of a token, empty for the studio's own, null if not known.

/** `who`: null is the owner. */
export const toAuthorColumn = (who: string | null): string => who ?? '';

/** The field `updated_by` of an answer: missing where the author is not known. */
export const toAuthorField = (column: string | null): { readonly updated_by?: string | null } =>
  column === null ? {} : { updated_by: column === '' ? null : column };
