import { beforeEach, expect, it } from 'vitest';
import { libraryItemSchema, libraryListSchema } from '#features/playground/shared/library.ts';
import { LIBRARY_LIMITS } from '#features/playground/shared/libraryLimits.ts';
import { keepDatabase } from '#service/database/keepDatabase.fixture.ts';
import { openTestService } from '#service/http/testService.fixture.ts';
import { toLibraryRoutes } from './libraryRoutes.ts';
import { keep } from '#service/files/keep.fixture.ts';

const database = await keepDatabase();
const service = await keep(openTestService({ routes: () => toLibraryRoutes({ database, now: () => new Date(0) }) }));
beforeEach(() => database.executeSql('delete from studio.library'));

const PRESETS = '/api/v1/studio/library/preset';
const CHANGE = { name: 'Careful', content: '{}', revision: 0 };
const put = (change: unknown, id = 'a') =>
  service.askSigned(`${PRESETS}/${id}`, {
    method: 'PUT',
    body: JSON.stringify(change),
    headers: { 'Content-Type': 'application/json' },
  });
const remove = (id: string, revision: string) =>
  service.askSigned(`${PRESETS}/${id}?revision=${revision}`, { method: 'DELETE' });

it('an item is saved, listed, not listed again while nothing is new, and deleted', async () => {
  const saved = libraryItemSchema.parse((await put(CHANGE)).json());
  expect(saved).toMatchObject({ id: 'a', name: 'Careful', revision: 1, updated_by: null });
  const list = await service.askSigned(PRESETS);
  expect(libraryListSchema.parse(list.json())).toEqual({ items: [saved] });
  const again = await service.askSigned(PRESETS, { headers: { 'If-None-Match': String(list.headers['etag']) } });
  expect(again.status).toBe(304);
  expect((await remove('a', '1')).status).toBe(204);
  expect((await remove('a', '1')).json()).toMatchObject({ error: { param: 'itemId', code: 'preset_not_found' } });
});

it('a change of an older item is answered with what stands now', async () => {
  const saved = (await put(CHANGE)).json();
  for (const answer of [await put({ ...CHANGE, name: 'Mine' }), await remove('a', '7')]) {
    expect(answer.status).toBe(409);
    expect(answer.json()).toMatchObject({ error: { code: 'item_changed', param: 'revision', current: saved } });
  }
  expect((await put({ ...CHANGE, revision: 2 }, 'b')).json()).toMatchObject({ error: { current: null } });
});

it.each([
  ['a blank name', { ...CHANGE, name: ' ' }, 'name'],
  ['a long name', { ...CHANGE, name: 'x'.repeat(LIBRARY_LIMITS.name + 1) }, 'name'],
  ['an empty content', { ...CHANGE, content: '' }, 'content'],
  ['a content that no database keeps', { ...CHANGE, content: 'a\0' }, 'content'],
  ['a long content', { ...CHANGE, content: 'x'.repeat(LIBRARY_LIMITS.content + 1) }, 'content'],
  ['no revision', { ...CHANGE, revision: undefined }, 'revision'],
  ['an author', { ...CHANGE, updated_by: 'me' }, null],
])('%s is refused with the field at fault', async (_, change, param) => {
  const answer = await put(change);
  expect(answer.status).toBe(400);
  expect(answer.json()).toMatchObject({ error: { param } });
});

it('ids, kinds and revisions of another form are refused by their names', async () => {
  const params = [
    await put(CHANGE, 'A_b'),
    await service.askSigned('/api/v1/studio/library/song'),
    await remove('a', 'x'),
  ].map((answer) => [answer.status, (answer.json() as { error: { param: string } }).error.param]);
  expect(params).toEqual([
    [400, 'itemId'],
    [400, 'kind'],
    [400, 'revision'],
  ]);
});
