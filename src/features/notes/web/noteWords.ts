// What a person writes in a note, and what becomes of it when the note was changed elsewhere meanwhile. Pure.
import { NOTE_LIMITS } from '#features/notes/shared/notes.ts';
import type { Note, NoteChange, Notes } from '#features/notes/shared/notes.ts';

export interface NoteWords {
  /** Empty: the node's own name. */
  readonly name: string;
  readonly tags: readonly string[];
  readonly text: string;
}

/** Unsaved words, and the saved ones that they were made from. */
export interface NoteDraft {
  readonly base: NoteWords;
  readonly mine: NoteWords;
}

export const NO_WORDS: NoteWords = { name: '', tags: [], text: '' };

export const toWords = (note: Note | undefined): NoteWords =>
  note ? { name: note.name ?? '', tags: note.tags, text: note.text } : NO_WORDS;

/** The note as it stands, as a change that changes nothing. */
export const toChange = (note: Note | undefined): NoteChange => ({
  name: note?.name ?? null,
  tags: [...(note?.tags ?? [])],
  is_starred: note?.is_starred ?? false,
  is_archived: note?.is_archived ?? false,
  text: note?.text ?? '',
  revision: note?.revision ?? 0,
});

export type WordField = keyof NoteWords;
const FIELDS: readonly WordField[] = ['name', 'tags', 'text'];

const isSameField = (a: NoteWords, b: NoteWords, field: WordField): boolean =>
  field === 'tags' ? a.tags.join('\n') === b.tags.join('\n') : a[field] === b[field];

export const isSameWords = (a: NoteWords, b: NoteWords): boolean => FIELDS.every((field) => isSameField(a, b, field));

/** `from` with the fields of `other` that are named. */
const withFields = (from: NoteWords, other: NoteWords, fields: readonly WordField[]): NoteWords => ({
  name: fields.includes('name') ? other.name : from.name,
  tags: fields.includes('tags') ? other.tags : from.tags,
  text: fields.includes('text') ? other.text : from.text,
});

interface Merged {
  /** The person's own words where they wrote some, else the saved ones. */
  readonly words: NoteWords;
  /** Fields that were changed here and elsewhere, to different values. */
  readonly conflicts: readonly WordField[];
}

export function mergeDraft({ base, mine }: NoteDraft, stored: NoteWords): Merged {
  const written = FIELDS.filter((field) => !isSameField(mine, base, field));
  const conflicts = written.filter((field) => !isSameField(stored, base, field) && !isSameField(stored, mine, field));
  return { words: withFields(stored, mine, written), conflicts };
}

/** The draft after the person chose the saved values where both changed; null: nothing of their own is left. */
export function takeTheirs(draft: NoteDraft, stored: NoteWords): NoteDraft | null {
  const { words, conflicts } = mergeDraft(draft, stored);
  const mine = withFields(words, stored, conflicts);
  return isSameWords(mine, stored) ? null : { base: stored, mine };
}

/** Adds what was typed: tags between commas, each once, as many as a note may have. */
export function addTags(tags: readonly string[], typed: string): readonly string[] {
  const added = typed
    .split(',')
    .map((tag) => tag.trim().slice(0, NOTE_LIMITS.tag).trim())
    .filter((tag) => tag !== '');
  return [...new Set([...tags, ...added])].slice(0, NOTE_LIMITS.tags);
}

/** Why the words can't be saved; null: they can. */
export function findProblem({ name, text }: NoteWords): string | null {
  const over = (what: string, length: number, most: number): string | null =>
    length <= most
      ? null
      : `${what} has at most ${most} characters, and this one has ${length}. Shorten it by ${length - most}.`;
  return over('A name', name.trim().length, NOTE_LIMITS.name) ?? over('A note', text.length, NOTE_LIMITS.text);
}

const MOST_SUGGESTED = 200;

/** Tags of other notes that the node does not have yet, the most used first. */
export function toSuggestions(notes: Notes, tags: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const note of notes.values()) for (const tag of note.tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts]
    .filter(([tag]) => !tags.includes(tag))
    .toSorted(([a, left], [b, right]) => right - left || (a < b ? -1 : 1))
    .slice(0, MOST_SUGGESTED)
    .map(([tag]) => tag);
}
