import { describe, expect, it } from 'vitest';
import { NOTE_LIMITS } from '#features/notes/shared/notes.ts';
import type { Note } from '#features/notes/shared/notes.ts';
import {
  addTags,
  findProblem,
  isSameWords,
  mergeDraft,
  takeTheirs,
  toChange,
  toSuggestions,
  toWords,
} from './noteWords.ts';

const note = (id: string, rest: Partial<Note> = {}): Note => ({
  node_id: id,
  name: null,
  tags: [],
  is_starred: false,
  is_archived: false,
  text: '',
  revision: 1,
  updated_at: '',
  ...rest,
});
const base = { name: 'A', tags: ['x'], text: 'old' };

describe('mergeDraft', () => {
  it('keeps what was written here, and takes the rest as it is saved now', () => {
    const draft = { base, mine: { ...base, text: 'new' } };
    expect(mergeDraft(draft, { ...base, tags: ['x', 'y'] })).toEqual({
      words: { name: 'A', tags: ['x', 'y'], text: 'new' },
      conflicts: [],
    });
  });

  it('names the fields that were changed here and elsewhere', () => {
    const draft = { base, mine: { name: 'B', tags: ['mine'], text: 'new' } };
    const { words, conflicts } = mergeDraft(draft, { name: 'C', tags: ['x'], text: 'theirs' });
    expect(conflicts).toEqual(['name', 'text']);
    expect(words).toEqual(draft.mine);
  });

  it('sees no conflict where both wrote the same', () => {
    const same = { ...base, text: 'new' };
    expect(mergeDraft({ base, mine: same }, same)).toEqual({ words: same, conflicts: [] });
  });
});

describe('takeTheirs', () => {
  const draft = { base, mine: { name: 'B', tags: ['x'], text: 'new' } };
  it('takes the saved value where both changed, and keeps what only the person wrote', () => {
    const stored = { ...base, text: 'theirs' };
    expect(takeTheirs(draft, stored)).toEqual({ base: stored, mine: { name: 'B', tags: ['x'], text: 'theirs' } });
  });

  it('leaves no draft where everything was changed elsewhere', () => {
    expect(takeTheirs(draft, { name: 'C', tags: ['x'], text: 'theirs' })).toBeNull();
  });
});

describe('addTags', () => {
  it('splits at commas, and takes each tag once', () => {
    expect(addTags(['a'], ' b, a ,, c d ')).toEqual(['a', 'b', 'c d']);
  });

  it('keeps to the limits', () => {
    const many = Array.from({ length: NOTE_LIMITS.tags + 5 }, (_, at) => `t${at}`).join(',');
    expect(addTags([], many)).toHaveLength(NOTE_LIMITS.tags);
    expect(addTags([], 'x'.repeat(NOTE_LIMITS.tag + 9))[0]).toHaveLength(NOTE_LIMITS.tag);
  });
});

it('a text that is too long is refused with the number of characters', () => {
  expect(findProblem(base)).toBeNull();
  expect(findProblem({ ...base, text: 'x'.repeat(NOTE_LIMITS.text + 3) })).toContain('Shorten it by 3.');
  expect(findProblem({ ...base, name: 'x'.repeat(NOTE_LIMITS.name + 1) })).toContain('A name has at most 200');
});

it('suggests the tags of other notes, the most used first', () => {
  const notes = new Map([
    ['1', note('1', { tags: ['rare', 'often'] })],
    ['2', note('2', { tags: ['often', 'mine'] })],
  ]);
  expect(toSuggestions(notes, ['mine'])).toEqual(['often', 'rare']);
});

it('a change starts from the note as it stands', () => {
  const starred = note('1', { is_starred: true, name: 'N', revision: 7 });
  expect(toChange(starred)).toEqual({
    name: 'N',
    tags: [],
    is_starred: true,
    is_archived: false,
    text: '',
    revision: 7,
  });
  expect(toChange(undefined).revision).toBe(0);
  expect(isSameWords(toWords(undefined), toWords(note('1')))).toBe(true);
});
