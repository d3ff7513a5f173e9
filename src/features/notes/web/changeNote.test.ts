import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Note, NoteChange } from '#features/notes/shared/notes.ts';
import { notesQuery } from './noteQueries.ts';
import { connect } from '#ui/client/server.fixture.ts';
import { dismissToast, readToasts } from '#ui/kit/toast.ts';
import { patchNote, saveDraft } from './changeNote.ts';
import { NO_WORDS } from './noteWords.ts';

const ID = 'n1';

/** A service with one note, which checks revisions as the studio does. */
async function serve(start: Partial<Note> = {}) {
  const kept: { note: Note } = {
    note: {
      node_id: ID,
      name: null,
      tags: [],
      is_starred: false,
      is_archived: false,
      text: '',
      revision: 1,
      updated_at: '',
      ...start,
    },
  };
  const connection = await connect(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const send = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body));
    if (request.method === 'GET') return send(200, { notes: [kept.note] });
    const change = JSON.parse(Buffer.concat(parts).toString()) as NoteChange;
    if (change.revision !== kept.note.revision)
      return send(409, { error: { message: 'Changed.', code: 'note_changed' } });
    kept.note = { ...kept.note, ...change, revision: change.revision + 1 };
    return send(200, kept.note);
  });
  const client = new QueryClient();
  await client.fetchQuery(notesQuery(connection));
  const changeElsewhere = (patch: Partial<Note>) => {
    kept.note = { ...kept.note, ...patch, revision: kept.note.revision + 1 };
  };
  return { kept, client, connection, changeElsewhere };
}

const dismissAll = (): void => readToasts().forEach(({ id }) => dismissToast(id));
// Files share the page's one list of messages: an earlier one may have left some.
beforeEach(dismissAll);
afterEach(dismissAll);

it('a star is saved at once, and its message can undo it, whatever else was changed since', async () => {
  const { kept, client, connection, changeElsewhere } = await serve({ text: 'why' });
  await patchNote(client, ID, { is_starred: true }, 'Starred A.', connection);
  expect(kept.note).toMatchObject({ is_starred: true, text: 'why' });
  expect(readToasts().map(({ text }) => text)).toEqual(['Starred A.']);
  changeElsewhere({ text: 'newer' });
  readToasts()[0]?.action?.onSelect();
  await expect.poll(() => kept.note).toMatchObject({ is_starred: false, text: 'newer' });
});

it('a star from a menu that is gone before the notes have come is saved', async () => {
  const { kept, client, connection } = await serve();
  client.clear();
  const leave = new QueryObserver(client, notesQuery(connection)).subscribe(() => undefined);
  const patched = patchNote(client, ID, { is_starred: true }, 'Starred A.', connection);
  leave();
  await patched;
  expect(kept.note.is_starred).toBe(true);
  expect(readToasts().map(({ text }) => text)).toEqual(['Starred A.']);
});

it('a star over a note that was changed elsewhere keeps that change', async () => {
  const { kept, client, connection, changeElsewhere } = await serve();
  changeElsewhere({ tags: ['theirs'] });
  await patchNote(client, ID, { is_starred: true }, 'Starred A.', connection);
  expect(kept.note).toMatchObject({ is_starred: true, tags: ['theirs'] });
});

it('an error is told in full', async () => {
  const client = new QueryClient();
  const refuse = await connect((request, response) => {
    const isRead = request.method === 'GET';
    const error = { message: 'This studio keeps no more notes.', code: 'too_many_notes' };
    response.writeHead(isRead ? 200 : 400).end(JSON.stringify(isRead ? { notes: [] } : { error }));
  });
  await patchNote(client, ID, { is_starred: true }, 'Starred A.', refuse);
  expect(readToasts()).toMatchObject([
    { tone: 'error', text: expect.stringContaining('keeps no more notes.') as string },
  ]);
});

it('saves words beside changes of other fields, and none over a change of the same field', async () => {
  const { kept, client, connection, changeElsewhere } = await serve();
  const draft = { base: NO_WORDS, mine: { ...NO_WORDS, name: ' Best ', text: 'mine' } };
  changeElsewhere({ tags: ['theirs'] });
  expect(await saveDraft(client, ID, draft, connection)).toBe(true);
  expect(kept.note).toMatchObject({ name: 'Best', tags: ['theirs'], text: 'mine' });

  changeElsewhere({ text: 'theirs' });
  const next = { base: { ...NO_WORDS, text: 'mine' }, mine: { ...NO_WORDS, text: 'more' } };
  expect(await saveDraft(client, ID, next, connection)).toBe(false);
  expect(kept.note.text).toBe('theirs');
});
