import { expect, it } from 'vitest';
import { toNextPage, type ReadList } from './traceQueries.ts';

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
