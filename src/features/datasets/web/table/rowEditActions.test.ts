import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { MarksRequest } from '#features/datasets/shared/contract/rows.ts';
import { connect } from '#ui/client/server.fixture.ts';
import { refreshRows } from '#features/datasets/web/api/rowQueries.ts';
import { dismissToast, readToasts } from '#ui/kit/toast.ts';
import { editRow, setAside, tagRows, toChunks } from './rowEditActions.ts';

/** Messages of other files, whose modules this one may share. */
const dismissAll = () => {
  for (const { id } of readToasts()) dismissToast(id);
};
beforeEach(dismissAll);
afterEach(dismissAll);

/** A service that keeps which rows are set aside, and refuses after `most` requests. */
async function serve(most = Infinity) {
  const asked: MarksRequest[] = [];
  const connection = await connect(async (request, response) => {
    let text = '';
    for await (const part of request) text += String(part);
    const sent = JSON.parse(text) as MarksRequest;
    asked.push(sent);
    const isRefused = asked.length > most;
    const positions = 'positions' in sent ? sent.positions : [];
    const rows = positions.map((position) => ({ position, is_set_aside: false, tags: [], edited: null }));
    response.writeHead(isRefused ? 507 : 200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(
        isRefused
          ? { error: { message: 'The disk is full.' } }
          : {
              changed: sent.change === 'edit' ? 1 : rows.length,
              kept: sent.change === 'restore' ? 1 : 0,
              undo: { change: 'restore', rows },
            },
      ),
    );
  });
  return { asked, target: { client: new QueryClient(), datasetId: 'd1', connection } };
}

const toastText = () => readToasts().map(({ text }) => text);

describe('rows that are marked', () => {
  it('are many requests where there are many rows, with one Undo for all', async () => {
    const { asked, target } = await serve();
    const positions = Array.from({ length: 10_001 }, (_, at) => at);
    expect(await setAside(target, positions, true)).toBe(true);
    expect(asked.map((sent) => ('positions' in sent ? sent.positions.length : 0))).toEqual([10_000, 1]);
    expect(toastText()).toEqual(['Set 10,001 rows aside.']);
    readToasts()[0]?.action?.onSelect();
    await vi.waitFor(() => expect(toastText()).toContain('Undone, but for 2 rows that others have edited since.'));
    expect(asked.slice(2).map((sent) => (sent.change === 'restore' ? sent.rows.length : 0))).toEqual([10_000, 1]);
  });

  it('say how far they came where the service fails, and that can be undone', async () => {
    const { target } = await serve(1);
    const positions = Array.from({ length: 20_000 }, (_, at) => at);
    expect(await tagRows(target, positions, 'check', true)).toBe(false);
    const [failure, done] = readToasts();
    expect(failure?.text).toContain('Only 10,000 rows changed. The disk is full.');
    expect(done?.text).toBe('Tagged 10,000 rows check.');
    expect(done?.action?.label).toBe('Undo');
  });

  it('nothing is changed where the first request fails', async () => {
    const { target } = await serve(0);
    expect(await editRow(target, 3, { messages: [] })).toBe(false);
    expect(toastText()).toEqual([expect.stringContaining('Nothing was changed. The disk is full.')]);
  });
});

it('what a change may alter is asked for again: of tags no finding, of other marks all but the rows by finding', async () => {
  const { target } = await serve();
  const known = ['page', 'found', 'findings', 'by-finding'].map((part) => ['data', 'dataset', 'd1', part]);
  const stale = () =>
    known.filter((queryKey) => target.client.getQueryState(queryKey)?.isInvalidated).map(([, , , part]) => part);
  const load = () => known.forEach((queryKey) => target.client.setQueryData(queryKey, {}));
  load();
  await tagRows(target, [1], 'check', true);
  expect(stale()).toEqual(['page', 'found', 'by-finding']);
  load();
  await setAside(target, [1], true);
  expect(stale()).toEqual(['page', 'found', 'findings']);
  load();
  await refreshRows(target.client, { kind: 'dataset', id: 'd1' });
  expect(stale()).toEqual(['page', 'found']);
});

it('a edited row says that its line stays', async () => {
  const { asked, target } = await serve();
  await editRow(target, 3, { messages: [] });
  await editRow(target, 3, null);
  expect(asked).toEqual([
    { change: 'edit', position: 3, row: { messages: [] } },
    { change: 'edit', position: 3, row: null },
  ]);
  expect(toastText()[0]).toContain('Its line stays');
});

it('chunks hold everything once', () => {
  expect(toChunks([1, 2, 3], 2)).toEqual([[1, 2], [3]]);
  expect(toChunks([], 2)).toEqual([]);
});
