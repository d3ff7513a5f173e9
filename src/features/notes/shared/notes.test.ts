import { describe, expect, it } from 'vitest';
import { NOTE_LIMITS } from '#features/notes/shared/notes.ts';
import { isEmptyNote, noteChangeSchema, noteSchema } from './notes.ts';

const change = { name: null, tags: [], is_starred: false, is_archived: false, text: '', revision: 0 };
const many = (count: number, text = 'x'): string[] => Array.from({ length: count }, () => text);

describe('a change of a note', () => {
  it.each([
    ['that says nothing', {}],
    ['with the longest name', { name: 'x'.repeat(NOTE_LIMITS.name) }],
    ['with as many tags as there may be', { tags: many(NOTE_LIMITS.tags) }],
    ['with the longest text', { text: 'x'.repeat(NOTE_LIMITS.text) }],
  ])('%s is accepted', (_what, fields) => {
    expect(noteChangeSchema.safeParse({ ...change, ...fields }).error).toBeUndefined();
  });

  it.each([
    ['with a name of spaces', { name: '  ' }],
    ['with a name that is too long', { name: 'x'.repeat(NOTE_LIMITS.name + 1) }],
    ['with an empty tag', { tags: [''] }],
    ['with a tag that has half of a surrogate pair', { tags: ['a\ud83d'] }],
    ['with a tag that is too long', { tags: ['x'.repeat(NOTE_LIMITS.tag + 1)] }],
    ['with too many tags', { tags: many(NOTE_LIMITS.tags + 1) }],
    ['with a text that is too long', { text: 'x'.repeat(NOTE_LIMITS.text + 1) }],
    ['of a revision below zero', { revision: -1 }],
    ['of no revision', { revision: undefined }],
    ['with a further field', { author: 'me' }],
  ])('%s is refused', (_what, fields) => {
    expect(noteChangeSchema.safeParse({ ...change, ...fields }).success).toBe(false);
  });

  it('loses the spaces around names and tags, not those of the text', () => {
    const parsed = noteChangeSchema.parse({ ...change, name: ' best ', tags: [' a '], text: ' x ' });
    expect(parsed).toMatchObject({ name: 'best', tags: ['a'], text: ' x ' });
  });
});

it('is of one node', () => {
  const note = { ...change, revision: 1, updated_at: '2026-01-01T00:00:00Z' };
  expect(noteSchema.safeParse({ ...note, node_id: '3f0c1a52-7b1e-4a1d-9c55-0123456789ab' }).success).toBe(true);
  expect(noteSchema.safeParse({ ...note, node_id: '../x' }).success).toBe(false);
});

it.each([
  [{}, true],
  [{ name: 'a' }, false],
  [{ tags: ['a'] }, false],
  [{ is_starred: true }, false],
  [{ is_archived: true }, false],
  [{ text: ' ' }, false],
])('is empty if nothing is in it: %j', (fields, isEmpty) =>
  expect(isEmptyNote({ ...change, ...fields })).toBe(isEmpty),
);
