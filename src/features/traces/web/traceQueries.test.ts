import { QueryClient } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { toNextPage, traceSettingsQuery, type ReadList } from './traceQueries.ts';

const page = (total: number, next?: string | null): ReadList => ({
  results: Array.from({ length: Math.min(50, total) }, () => ({})) as unknown as ReadList['results'],
  total,
  ...(next !== undefined && { next }),
});

it.each<[string, ReadList | null, number, string | number | null]>([
  ['goes on at the cursor of this studio', page(90, '40'), 1, '40'],
  ['ends where the cursor says so', page(90, null), 1, null],
  ['goes on by number where a service has no cursor', page(120), 2, 3],
  ['ends by number once all are read', page(100), 2, null],
  ['ends at a page with nothing', page(0), 3, null],
  ['ends where there are no traces at all', null, 1, null],
])('a list of traces %s', (_what, last, pages, next) => {
  expect(
    toNextPage(
      last,
      Array.from({ length: pages }, () => last),
    ),
  ).toBe(next);
});

it('settings of a folder of runs, which has none, are not asked for', async () => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string | URL | Request) => {
    const { pathname } = new URL(url instanceof Request ? url.url : url, 'http://studio');
    asked.push(pathname);
    const roots = [{ id: 'folder', path: '/runs', state: 'ready' }];
    return pathname.endsWith('/run-roots')
      ? Response.json({ roots })
      : Response.json({ keeps_chats: true, keep_days: null, corrector: null, left_out: 0 });
  });
  const client = new QueryClient();
  expect(await client.fetchQuery(traceSettingsQuery('folder'))).toBeNull();
  expect(await client.fetchQuery(traceSettingsQuery('project'))).toMatchObject({ keeps_chats: true });
  expect(asked).toEqual(['/api/v1/studio/run-roots', '/api/v1/studio/projects/project/trace-settings']);
  client.clear();
  vi.unstubAllGlobals();
});
