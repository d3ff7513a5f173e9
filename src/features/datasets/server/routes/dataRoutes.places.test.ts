import { expect, it } from 'vitest';
import type { RowPage } from '#features/datasets/shared/contract/rows.ts';
import { chat, openDataService, rowsUrl } from './dataService.fixture.ts';
import { keep } from '#service/files/keep.fixture.ts';

it('rows are found by their places, beside other filters', async () => {
  const desk = await keep(openDataService());
  const id = await desk.dataset(Array.from({ length: 400 }, (_, at) => chat(`Where is order ${at}?`, `Here, ${at}.`)));
  const places = async (query: Readonly<Record<string, string>>): Promise<readonly number[]> => {
    const page = await desk.service.getJson(
      rowsUrl({ kind: 'dataset', id }, 'table', { positions: '301,7,7,999', ...query }),
    );
    return (page as unknown as RowPage).rows.map(({ position }) => position);
  };
  expect(await places({})).toEqual([7, 301]);
  expect(await places({ search: 'order 7' })).toEqual([7]);
  expect(await places({ from: '8' })).toEqual([301]);
});
