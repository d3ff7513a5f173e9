import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { connect } from '#ui/client/server.fixture.ts';
import { curvesInterval, runInterval } from './runPolling.ts';
import { addRunRoot, curvesQuery, groupRunRoot, removeRunRoot, runQuery } from './runQueries.ts';
import { rootsInterval, runRootsQuery } from './runRootsQuery.ts';

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** Answers with what `answer` gives; `asked` collects the requests. */
async function serve(answer: (asked: Asked) => { status?: number; body?: unknown }) {
  const asked: Asked[] = [];
  const connection = await connect(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString();
    const next = {
      method: request.method ?? '',
      path: request.url ?? '',
      body: text === '' ? null : (JSON.parse(text) as unknown),
    };
    asked.push(next);
    const { status = 200, body } = answer(next);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body === undefined ? '' : JSON.stringify(body));
  });
  return { asked, connection };
}

const root = { id: 'r1', path: '/runs', state: 'watching' };
const QUESTION = { runs: ['a'], names: ['loss'], points: 100 };

describe('curvesQuery', () => {
  it('sends the version of its last answer, and keeps that answer when nothing is new', async () => {
    const curve = { run_id: 'a', name: 'loss', length: 1, steps: [1], values: [2] };
    const { asked, connection } = await serve(({ body }) =>
      (body as { version?: string }).version === 'v1'
        ? { status: 304 }
        : { body: { version: 'v1', names: [], curves: [curve] } },
    );
    const client = new QueryClient();
    const query = { ...curvesQuery(QUESTION, true, connection), staleTime: 0 };
    const first = await client.fetchQuery(query);
    expect([...first.curves[0]!.values]).toEqual([2]);
    expect(await client.fetchQuery(query)).toBe(first);
    expect(asked.map(({ body }) => body)).toEqual([QUESTION, { ...QUESTION, version: 'v1' }]);
  });

  it('has no curves where the service knows none', async () => {
    const { connection } = await serve(() => ({ status: 404, body: { error: 'Not found.' } }));
    expect((await new QueryClient().fetchQuery(curvesQuery(QUESTION, false, connection))).curves).toEqual([]);
  });
});

it('is null where the service reads no folders, or the experiment is no run of one', async () => {
  const { connection } = await serve(() => ({ status: 404, body: { error: 'Not found.' } }));
  expect(await new QueryClient().fetchQuery(runRootsQuery(connection))).toBeNull();
  expect(await new QueryClient().fetchQuery(runQuery('x', connection))).toBeNull();
});

it('adds, groups and removes a folder', async () => {
  const { asked, connection } = await serve(({ method }) => (method === 'DELETE' ? { status: 204 } : { body: root }));
  expect(await addRunRoot('/runs', connection)).toMatchObject({ id: 'r1' });
  await groupRunRoot('r1', { by: 'parameter', parameter: 'lr' }, connection);
  await removeRunRoot('r1', connection);
  expect(asked).toEqual([
    { method: 'POST', path: '/api/v1/studio/run-roots', body: { path: '/runs' } },
    { method: 'PUT', path: '/api/v1/studio/run-roots/r1', body: { grouping: { by: 'parameter', parameter: 'lr' } } },
    { method: 'DELETE', path: '/api/v1/studio/run-roots/r1', body: null },
  ]);
});

it('fails with the words of the service', async () => {
  const message = '“outputs” is not an absolute path.';
  const { connection } = await serve(() => ({ status: 400, body: { error: { message } } }));
  await expect(addRunRoot('outputs', connection)).rejects.toThrow(message);
});

describe('polling', () => {
  const state = <T>(data: T) => ({ data, error: null, failures: 0 });

  it('asks each second while a run trains, else rarely', () => {
    expect([curvesInterval(state({}), true), curvesInterval(state({}), false)]).toEqual([1000, 15_000]);
    expect(runInterval(state({ status: 'running' }))).toBe(1000);
    // Nobody wrote down its end: it may go on.
    expect(runInterval(state({ status: 'stopped' }))).toBe(2000);
    expect(runInterval(state({ status: 'failed' }))).toBe(15_000);
    expect(runInterval(state(null))).toBe(false);
  });

  it('follows a scan closely, and does not ask a service without folders again', () => {
    const scanned = { id: 'a', state: 'scanning' } as never;
    expect([rootsInterval(state([scanned])), rootsInterval(state([])), rootsInterval(state(null))]).toEqual([
      1000,
      15_000,
      false,
    ]);
  });
});
