import { expect, it } from 'vitest';
import { readNotes, readSavedNote } from './notesReader.ts';

const note = {
  node_id: 'n1',
  name: 'Best so far',
  tags: ['baseline'],
  is_starred: true,
  is_archived: false,
  text: '**Why**',
  revision: 3,
  updated_at: '2026-01-01T00:00:00Z',
};

it('reads notes by node', () => {
  expect(readNotes({ notes: [note] })).toEqual({ ok: true, value: new Map([['n1', note]]) });
});

it('fills what is missing, and leaves out notes of no node', () => {
  const read = readNotes({ notes: [{ node_id: 'n2', tags: ['a', 7], name: '' }, { name: 'x' }, 5] });
  const empty = { name: null, is_starred: false, is_archived: false, text: '', revision: 0, updated_at: '' };
  expect(read).toEqual({ ok: true, value: new Map([['n2', { node_id: 'n2', tags: ['a'], ...empty }]]) });
});

it('refuses a body without a list', () => {
  expect(readNotes({})).toEqual({ ok: false, reason: 'it has no "notes" list' });
  expect(readNotes(null).ok).toBe(false);
});

it('reads a saved note, and null where nothing was left in it', () => {
  expect(readSavedNote(note)).toEqual({ ok: true, value: note });
  expect(readSavedNote(null)).toEqual({ ok: true, value: null });
  expect(readSavedNote([])).toEqual({ ok: false, reason: 'it is not a note' });
});
