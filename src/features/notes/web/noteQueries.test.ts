import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { isChangedElsewhere, notesQuery, saveNote } from './noteQueries.ts';
import { connect } from '#ui/client/server.fixture.ts';

const CHANGE = { name: null, tags: ['a'], is_starred: true, is_archived: false, text: '', revision: 0 };
const NOTE = { ...CHANGE, node_id: 'n1', revision: 1, updated_at: 'now' };

const serve = (answers: Readonly<Record<string, { status?: number; body: unknown }>>) =>
  connect((request, response) => {
    const { status = 200, body } = answers[request.method ?? ''] ?? { status: 404, body: {} };
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });

it('a service that keeps no notes gives null', async () => {
  expect(await new QueryClient().fetchQuery(notesQuery(await serve({})))).toBeNull();
});

it('a saved note is in the list at once, and leaves it when nothing is left in it', async () => {
  const client = new QueryClient();
  const saving = await serve({ PUT: { body: NOTE } });
  expect(await saveNote(client, 'n1', CHANGE, saving)).toEqual(NOTE);
  expect(client.getQueryData(notesQuery().queryKey)?.get('n1')).toEqual(NOTE);
  await saveNote(client, 'n1', CHANGE, await serve({ PUT: { body: null } }));
  expect(client.getQueryData(notesQuery().queryKey)?.has('n1')).toBe(false);
});

it('asks for the tree again', async () => {
  const client = new QueryClient();
  client.setQueryData(['project', 'p'], {});
  await saveNote(client, 'n1', CHANGE, await serve({ PUT: { body: NOTE } }));
  expect(client.getQueryState(['project', 'p'])?.isInvalidated).toBe(true);
});

it('tells a change from elsewhere from other errors', async () => {
  const elsewhere = await serve({
    PUT: { status: 409, body: { error: { message: 'Changed.', code: 'note_changed' } } },
  });
  const error: unknown = await saveNote(new QueryClient(), 'n1', CHANGE, elsewhere).catch(
    (failure: unknown) => failure,
  );
  expect(isChangedElsewhere(error)).toBe(true);
  const full = await serve({ PUT: { status: 400, body: { error: { message: 'Full.', code: 'too_many_notes' } } } });
  const other: unknown = await saveNote(new QueryClient(), 'n1', CHANGE, full).catch((failure: unknown) => failure);
  expect(isChangedElsewhere(other)).toBe(false);
});
