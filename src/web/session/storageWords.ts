// Messages for storage problems of this browser.
import { DatabaseTrouble } from './browserDatabase.ts';

const isFull = (error: unknown): boolean => error instanceof DOMException && error.name === 'QuotaExceededError';

export interface StorageWords {
  /** Nothing can be stored at all. */
  readonly none: string;
  readonly full: string;
  /** A newer version of the studio is open in another tab. A reload helps. */
  readonly outdated: string;
  /** A newer version of the studio has changed the format. */
  readonly newer: string;
  /** An older version of the studio is open in another tab. */
  readonly blocked: string;
  /** The browser has closed the database. */
  readonly closed: string;
  /** A person deleted the database, in this or another tab. */
  readonly deleted: string;
}

/** `what`: the stored things, as a plural inside a sentence. */
export function toStorageWords(what: string, none: string, full: string): StorageWords {
  return {
    none,
    full,
    outdated:
      `A newer version of the studio is open in another tab, so this page can’t store ${what} any more. Reload ` +
      'this page to go on with the newer version; what is on show comes back.',
    newer:
      `The ${what} in this browser were stored by a newer version of the studio. They are untouched, and this ` +
      'older version can’t open them: what is done here is lost when the page is reloaded. Update the studio to ' +
      'see them; or sign out and delete what this browser keeps, to begin anew with this version.',
    blocked:
      `An older version of the studio is open in another tab. Close or reload that tab. Then the ${what} appear ` +
      'here.',
    deleted:
      `The ${what} in this browser were deleted, in another tab. Nothing more is stored from this page until it is ` +
      'reloaded: export what you still need.',
    closed:
      `The browser has closed the database with the ${what}. It is being opened again; if this stays, reload the ` +
      'page.',
  };
}

/** The message for an error. */
export function toStorageProblem(error: unknown, words: StorageWords): string {
  if (error instanceof DatabaseTrouble) return words[error.kind];
  return isFull(error) ? words.full : words.none;
}
