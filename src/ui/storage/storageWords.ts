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
      'this page to continue with the newer version. You will see the same as now.',
    newer:
      `A newer version of the studio stored the ${what} in this browser. This older version can’t open them, and ` +
      'leaves them unchanged. New work is lost when you reload the page. Update the studio to see them. Or sign out ' +
      'and delete what this browser keeps, to start again with this version.',
    blocked:
      `An older version of the studio is open in another tab. Close or reload that tab. Then the ${what} appear ` +
      'here.',
    deleted:
      `The ${what} in this browser were deleted in another tab. This page stores nothing more until you reload it. ` +
      'Export what you still need first.',
    closed:
      `The browser has closed the database with the ${what}. The page opens it again. If this message stays, ` +
      'reload the page.',
  };
}

/** The message for an error. */
export function toStorageProblem(error: unknown, words: StorageWords): string {
  if (error instanceof DatabaseTrouble) return words[error.kind];
  return isFull(error) ? words.full : words.none;
}
