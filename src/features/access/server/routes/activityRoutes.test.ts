import { expect, it } from 'vitest';
import type { ActivityEntry } from '#features/access/shared/activity.ts';
import { openTestService } from '#service/http/testService.fixture.ts';
import { toActivityRoutes } from './activityRoutes.ts';
import { keep } from '#service/files/keep.fixture.ts';

const ENTRIES = Array.from({ length: 150 }, (_, index): ActivityEntry => ({
  id: 150 - index,
  at: '2026-11-23T00:00:00.000Z',
  who: 'ada',
  method: 'PUT',
  route: '/a/{id}',
  path: `/a/${index}`,
  node: null,
}));

const list = async (limit: number, before: number | null) =>
  ENTRIES.filter(({ id }) => before === null || id < before).slice(0, limit);
const service = await keep(openTestService({ routes: () => toActivityRoutes({ list }) }));

const get = (query: string) => service.askSigned(`/api/v1/studio/activity${query}`);

it('gives pages, each with where the next one begins', async () => {
  expect((await get('')).json()).toEqual({ entries: ENTRIES.slice(0, 100), next: 51 });
  expect((await get('?limit=40&before=51')).json()).toEqual({ entries: ENTRIES.slice(100, 140), next: 11 });
  expect((await get('?before=11')).json()).toEqual({ entries: ENTRIES.slice(140), next: null });
  expect((await get('?limit=150')).json()).toMatchObject({ next: null });
});

it('takes each bound that it names', async () => {
  expect((await get('?limit=500&before=9007199254740991')).status).toBe(200);
  expect((await get('?before=9007199254740993')).text).toContain('from 1 to 9007199254740991.');
});

it.each(['limit=0', 'limit=501', 'limit=x', 'before=-1', 'before=0', 'limit=1.5'])('refuses %s', async (query) => {
  const answer = await get(`?${query}`);
  expect([answer.status, answer.json()]).toMatchObject([400, { error: { param: query.split('=')[0] } }]);
});

it('needs the token', async () => expect((await service.ask('/api/v1/studio/activity')).status).toBe(401));
