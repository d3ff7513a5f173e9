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
  /** Nothing is stored, so there is no other one to open. */
  readonly alone: string;
  /** Why another one can't be opened: the current one isn't stored. */
  readonly unsaved: string;
  /** Another tab has it open. */
  readonly elsewhere: string;
  /** Another tab has taken it over. */
  readonly copied: string;
}

/** Problems that end with the next successful write. */
export const isWriteProblem = (problem: string | null, { none, full, closed }: StorageWords): boolean =>
  problem !== null && [none, full, closed].includes(problem);

/** `what`: the stored things, as a plural inside a sentence; `one`: what a tab has open. */
export function toStorageWords(what: string, one: string, none: string, full: string): StorageWords {
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
    alone: `This browser does not let the page store anything, so there is no other ${one}.`,
    unsaved: `The current ${one} could not be stored, so it stays open. Export it or free some space first.`,
    elsewhere: `This ${one} is open in another tab.`,
    copied:
      `Another tab opened this ${one}. Over plain HTTP a browser can’t keep it for one tab, so this tab continues ` +
      'with a copy. Nothing is lost.',
  };
}

/** The message for an error. */
export function toStorageProblem(error: unknown, words: StorageWords): string {
  if (error instanceof DatabaseTrouble) return words[error.kind];
  return isFull(error) ? words.full : words.none;
}
