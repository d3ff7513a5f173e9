// Messages for a person when conversations can't be stored or read.
import { toStorageWords } from '#ui/storage/storageWords.ts';
import type { RestoredDesk } from './deskRecords.ts';

const KEPT = "What can't be read is kept in the browser's database.";
/** The message for each kind of damage. */
export const DAMAGES: Readonly<Record<RestoredDesk['damage'], string | null>> = {
  none: null,
  some: `Some stored conversations were damaged and could not be restored. ${KEPT}`,
  all: `The stored conversations were damaged and could not be restored. ${KEPT}`,
  newer:
    `The stored conversations come from a newer version of the studio, so this one starts empty. ${KEPT} Update ` +
    'the studio to see them.',
};
export const WORDS = toStorageWords(
  'conversations',
  'session',
  'This browser does not let the page store anything: conversations are lost when it is reloaded.',
  "The browser's storage is full: new work is lost when the page is reloaded. Export and delete " +
    'sessions, or free some space.',
);
export const ALMOST_FULL =
  "The browser's storage is nearly full. Export and delete sessions that are no longer needed: what does not fit " +
  'is lost when the page is reloaded.';
