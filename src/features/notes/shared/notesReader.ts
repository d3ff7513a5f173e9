// Reads the notes of any service: missing fields are empty, notes without a node are left out.
import type { Note } from './notes.ts';
import { arrayOr, failRead, isObject, numberOr, textOr, type JsonObject, type Read } from '#core/contract/reading.ts';

function toNote(entry: JsonObject): Note | null {
  const { node_id, name, tags, is_starred, is_archived, text, revision, updated_at } = entry;
  if (typeof node_id !== 'string' || node_id === '') return null;
  return {
    node_id,
    name: textOr(name, null) || null,
    tags: arrayOr(tags).filter((tag) => typeof tag === 'string'),
    is_starred: is_starred === true,
    is_archived: is_archived === true,
    text: textOr(text, ''),
    revision: numberOr(revision, 0),
    updated_at: textOr(updated_at, ''),
  };
}

/** By node id. */
export type Notes = ReadonlyMap<string, Note>;

/** Reads `{notes: [...]}`. */
export function readNotes(body: unknown): Read<Notes> {
  if (!isObject(body) || !Array.isArray(body['notes'])) return failRead('it has no "notes" list');
  const notes = arrayOr(body['notes'])
    .filter(isObject)
    .map(toNote)
    .filter((note) => note !== null);
  return { ok: true, value: new Map(notes.map((note) => [note.node_id, note])) };
}

/** Reads the answer to a change; null: the note is gone, because nothing was left in it. */
export function readSavedNote(body: unknown): Read<Note | null> {
  if (body === null) return { ok: true, value: null };
  const note = isObject(body) ? toNote(body) : null;
  return note ? { ok: true, value: note } : failRead('it is not a note');
}
