// What is kept of notes, on the embedded database.
import { beforeEach, describe, expect, it } from 'vitest';
import { listNotes, saveNote } from './notes.ts';
import { keepDatabase } from '#service/database/keepDatabase.fixture.ts';

const NODE = '00000000-0000-4000-8000-000000000001';
const NOW = new Date('2026-11-20T00:00:00.000Z');
const BY_ANNA = { now: NOW, who: 'Anna' };
const CHANGE = {
  name: 'Best',
  tags: ['keep', 'keep'],
  is_starred: true,
  is_archived: false,
  text: 'Good.',
  revision: 0,
};
const EMPTY = { name: null, tags: [], is_starred: false, is_archived: false, text: '' };

const database = await keepDatabase();
beforeEach(() => database.executeSql('delete from studio.notes'));

it('all of more notes than are read at a time are listed, in their order', async () => {
  await database.executeSql(
    `insert into studio.notes (node_id, tags, is_starred, is_archived, body, revision, updated_at)
     select ('00000000-0000-4000-8000-' || lpad(to_hex(at), 12, '0'))::uuid, '[]'::jsonb, false, false, at::text, 1, now()
     from generate_series(1, 4001) at`,
  );
  const texts = (await listNotes(database.orm)).map(({ text }) => Number(text));
  expect(texts).toEqual(Array.from({ length: 4001 }, (_, at) => at + 1));
});

describe('a note', () => {
  it('is kept with its tags once, and without characters that a database refuses', async () => {
    const saved = await saveNote(database.orm, NODE, { ...CHANGE, text: 'a\0b' }, BY_ANNA);
    const note = {
      node_id: NODE,
      name: 'Best',
      tags: ['keep'],
      is_starred: true,
      is_archived: false,
      text: 'ab',
      revision: 1,
    };
    expect(saved).toEqual({ kind: 'saved', note: { ...note, updated_at: NOW.toISOString(), updated_by: 'Anna' } });
    expect(await listNotes(database.orm)).toEqual([{ ...note, updated_at: NOW.toISOString(), updated_by: 'Anna' }]);
  });

  it('has the name of the token that it was changed with last: null for the owner, none of a note from before', async () => {
    await saveNote(database.orm, NODE, CHANGE, BY_ANNA);
    await saveNote(database.orm, NODE, { ...CHANGE, revision: 1 }, { now: NOW, who: null });
    expect(await listNotes(database.orm)).toMatchObject([{ updated_by: null }]);
    await database.executeSql('update studio.notes set updated_by = null');
    expect(Object.keys((await listNotes(database.orm))[0]!)).not.toContain('updated_by');
  });

  it('is not overwritten by a change of an older one', async () => {
    await saveNote(database.orm, NODE, CHANGE, BY_ANNA);
    expect(await saveNote(database.orm, NODE, { ...CHANGE, name: 'Other' }, BY_ANNA)).toMatchObject({
      kind: 'changed',
      note: { name: 'Best', revision: 1 },
    });
    expect(await saveNote(database.orm, NODE, { ...CHANGE, name: 'Other', revision: 1 }, BY_ANNA)).toMatchObject({
      note: { name: 'Other', revision: 2 },
    });
  });

  it('is written by one of two writers at the same time', async () => {
    const results = await Promise.all(
      ['a', 'b'].map((name) => saveNote(database.orm, NODE, { ...CHANGE, name }, BY_ANNA)),
    );
    expect(results.map(({ kind }) => kind).toSorted()).toEqual(['changed', 'saved']);
  });

  it('is deleted when it is empty', async () => {
    await saveNote(database.orm, NODE, CHANGE, BY_ANNA);
    expect(await saveNote(database.orm, NODE, { ...EMPTY, revision: 1 }, BY_ANNA)).toEqual({
      kind: 'saved',
      note: null,
    });
    expect(await listNotes(database.orm)).toEqual([]);
  });
});
