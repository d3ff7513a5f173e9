// The queries over real HTTP, through a real query client.
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { isMissing, isSignedOut, toHttpFailure } from './failure.ts';
import {
  examplesQuery,
  jobQuery,
  modelsQuery,
  polledProjectsQuery,
  polledSessionQuery,
  projectQuery,
  projectsQuery,
  recommendationQuery,
  rowsOfferQuery,
  rowsQuery,
  sessionQuery,
} from './queries.ts';
import type { Connection } from './request.ts';
import { connect } from './server.fixture.ts';

interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

let server: Server;
let connection: Connection;
let client: QueryClient;
let requests: IncomingMessage[];
let now = 0;
let answer: (request: IncomingMessage) => Reply;

beforeEach(async () => {
  client = new QueryClient();
  requests = [];
  now = 0;
  const listener: RequestListener = (request, response) => {
    requests.push(request);
    const { status = 200, headers = {}, body } = answer(request);
    response.writeHead(status, headers);
    response.end(body === undefined ? undefined : JSON.stringify(body));
  };
  server = createServer(listener);
  connection = { ...(await connect(server)), now: () => now };
});

afterEach(() => client.clear());

const project = (status: string) => ({
  project: {
    id: 'p',
    type: 'project',
    name: 'P',
    children: [
      { id: 'd', type: 'dataset', label: 'D', status },
      { id: 'e', label: 'E' },
    ],
  },
});

/** Asks now, whatever the cache holds. */
const fetchProject = (): Promise<TreeNode> =>
  client.fetchQuery({ ...projectQuery('p', connection), staleTime: 0, retry: false });

describe('the project', () => {
  it('asks with the tag it has, and keeps the very same tree while nothing changed', async () => {
    answer = (request) =>
      request.headers['if-none-match'] === '"1"'
        ? { status: 304 }
        : { headers: { etag: '"1"' }, body: project('completed') };
    const first = await fetchProject();
    expect(await fetchProject()).toBe(first);
    expect(await fetchProject()).toBe(first);
    expect(requests.map((request) => request.headers['if-none-match'])).toEqual([undefined, '"1"', '"1"']);
  });

  it('recognises the same text where the service has no tags', async () => {
    answer = () => ({ body: project('completed') });
    const first = await fetchProject();
    expect(await fetchProject()).toBe(first);
    expect(requests.every((request) => request.headers['if-none-match'] === undefined)).toBe(true);
  });

  it('recognises the same tag where the service sends the tree all the same', async () => {
    answer = () => ({ headers: { etag: '"1"' }, body: project('completed') });
    expect(await fetchProject()).toBe(await fetchProject());
  });

  it('changes only the nodes that changed, and goes on from the new tag', async () => {
    let status = 'processing';
    answer = () => ({ headers: { etag: `"${status}"` }, body: project(status) });
    const first = await fetchProject();
    status = 'completed';
    const second = await fetchProject();
    expect(second.children[0]?.status).toBe('completed');
    expect(second.children[1]).toBe(first.children[1]);
    await fetchProject();
    expect(requests.map((request) => request.headers['if-none-match'])).toEqual([
      undefined,
      '"processing"',
      '"completed"',
    ]);
  });

  it('keeps the tree when a new tag comes with the same content', async () => {
    let tag = 0;
    answer = () => ({ headers: { etag: `"${(tag += 1)}"` }, body: project('completed') });
    const first = await fetchProject();
    expect(await fetchProject()).toBe(first);
    await fetchProject();
    expect(requests[2]?.headers['if-none-match']).toBe('"2"');
  });

  it('keeps the tree when asking fails, and says why', async () => {
    answer = () => ({ body: project('completed') });
    const first = await fetchProject();
    answer = () => ({ status: 503, body: { error: 'busy' } });
    await expect(fetchProject()).rejects.toMatchObject({ message: 'busy' });
    expect(client.getQueryData(projectQuery('p').queryKey)).toBe(first);
  });

  it('says what a wrong answer lacks', async () => {
    answer = () => ({ body: { id: 'p' } });
    await expect(fetchProject()).rejects.toMatchObject({
      kind: 'shape',
      message: 'The service answered, but the answer has no "project" object.',
    });
  });

  it('does not render again for an unchanged answer', async () => {
    answer = () => ({ body: project('completed') });
    const observer = new QueryObserver(client, {
      ...projectQuery('p', connection),
      refetchInterval: false,
      notifyOnChangeProps: ['data', 'error'],
    });
    let renders = 0;
    const stop = observer.subscribe(() => (renders += 1));
    await observer.refetch();
    const before = renders;
    await observer.refetch();
    await observer.refetch();
    expect(requests.length).toBeGreaterThanOrEqual(3);
    expect(renders).toBe(before);
    stop();
  });
});

describe('when to ask again', () => {
  /** The interval after what has happened so far. */
  function intervalOf(options: { readonly queryKey: readonly unknown[]; readonly refetchInterval?: unknown }): unknown {
    const query = client.getQueryCache().find({ queryKey: options.queryKey });
    const { refetchInterval } = options;
    if (typeof refetchInterval !== 'function' || !query) throw new Error('not polled');
    return (refetchInterval as (from: typeof query) => unknown)(query);
  }

  it('follows what the tree says, slows down while asking fails, and recovers at once', async () => {
    const options = projectQuery('p', connection);
    answer = () => ({ body: project('processing') });
    await fetchProject();
    expect(intervalOf(options)).toBe(2000);
    answer = () => ({ status: 500 });
    for (const expected of [4000, 8000, 16_000]) {
      await fetchProject().catch(() => undefined);
      expect(intervalOf(options)).toBe(expected);
    }
    answer = () => ({ body: project('completed') });
    await fetchProject();
    expect(intervalOf(options)).toBe(15_000);
    answer = () => ({ status: 500 });
    await fetchProject().catch(() => undefined);
    expect(intervalOf(options)).toBe(30_000);
  });

  it('counts from the first failure where there never was an answer', async () => {
    answer = () => ({ status: 500 });
    for (const expected of [4000, 8000]) {
      await fetchProject().catch(() => undefined);
      expect(intervalOf(projectQuery('p', connection))).toBe(expected);
    }
  });

  it('follows the age of the recommendation, and ends with it', async () => {
    const options = recommendationQuery('s', connection);
    const ask = () => client.fetchQuery({ ...options, staleTime: 0 });
    answer = () => ({ body: { snapshot_id: 's', status: 'processing', recommended_models: null } });
    await ask();
    expect(intervalOf(options)).toBe(1000);
    now = 11_000;
    await ask();
    expect(intervalOf(options)).toBe(2500);
    now = 121_000;
    await ask();
    expect(intervalOf(options)).toBe(5000);
    answer = () => ({ body: { snapshot_id: 's', status: 'completed', recommended_models: [] } });
    expect(await ask()).toMatchObject({ status: 'completed', recommended_models: [] });
    expect(intervalOf(options)).toBe(false);
  });

  it('never happens in a hidden tab, and never waits for the network to be "online"', () => {
    for (const options of [projectQuery('p'), recommendationQuery('s'), jobQuery('j')])
      expect(options.refetchIntervalInBackground).toBe(false);
    for (const options of [
      sessionQuery(),
      projectsQuery(),
      projectQuery('p'),
      recommendationQuery('s'),
      jobQuery('j'),
      modelsQuery(),
      examplesQuery('m'),
    ]) {
      expect(options.networkMode).toBe('always');
    }
  });

  it('tries what can help twice more, and nothing else', () => {
    const { retry, retryDelay } = sessionQuery();
    if (typeof retry !== 'function' || typeof retryDelay !== 'function') throw new Error('no rule for trying again');
    const busy = toHttpFailure(503, new Headers(), '', 0);
    expect([retry(0, busy), retry(1, busy), retry(2, busy)]).toEqual([true, true, false]);
    expect(retry(0, toHttpFailure(401, new Headers(), '', 0))).toBe(false);
    expect(retry(0, new Error('a mistake of ours'))).toBe(false);
    expect(retryDelay(0, toHttpFailure(429, new Headers({ 'retry-after': '2' }), '', 0))).toBeGreaterThanOrEqual(2000);
  });
});

describe('the other answers', () => {
  it('tells who serves the page, or that nobody is signed in', async () => {
    answer = () => ({ body: { mode: 'local', remote: null } });
    expect(await client.fetchQuery(sessionQuery(connection))).toMatchObject({ mode: 'local', remote: null });
    answer = () => ({ status: 401, body: { error: { message: 'Sign in first.' } } });
    const refused = await client
      .fetchQuery({ ...sessionQuery(connection), staleTime: 0 })
      .catch((error: unknown) => error);
    expect(isSignedOut(refused)).toBe(true);
    expect(requests).toHaveLength(2);
  });

  it('reads lists and examples at their own addresses', async () => {
    answer = ({ url }) => ({
      body:
        url === '/api/v1/models'
          ? { data: [{ id: 'm' }] }
          : url === '/api/v1/public/projects'
            ? { projects: [{ id: 'p' }] }
            : { model: 'a/b', prompts: ['x'] },
    });
    expect(await client.fetchQuery(modelsQuery(connection))).toMatchObject([{ id: 'm' }]);
    expect(await client.fetchQuery(projectsQuery(connection))).toMatchObject([{ id: 'p', name: 'p' }]);
    expect(await client.fetchQuery(examplesQuery('a/b', connection))).toMatchObject({ prompts: ['x'] });
    expect(requests.map((request) => request.url)).toEqual([
      '/api/v1/models',
      '/api/v1/public/projects',
      '/api/examples/a%2Fb',
    ]);
  });

  it('hides what a service lacks, but not what it refuses', async () => {
    answer = () => ({ status: 404 });
    expect(await client.fetchQuery(modelsQuery(connection))).toBeNull();
    expect(await client.fetchQuery(projectsQuery(connection))).toBeNull();
    expect(await client.fetchQuery(examplesQuery('m', connection))).toBeNull();
    await expect(client.fetchQuery(recommendationQuery('s', connection))).rejects.toSatisfy(isMissing);
    answer = () => ({ body: null });
    expect(await client.fetchQuery(examplesQuery('none', connection))).toBeNull();
    answer = () => ({ status: 403 });
    await expect(client.fetchQuery(examplesQuery('n', connection))).rejects.toMatchObject({ status: 403 });
  });

  it('goes on asking for the projects while there is none, or for the session where they are not listed', () => {
    const { refetchInterval } = polledProjectsQuery(connection);
    const poll = (data: readonly never[] | null) => {
      client.setQueryData(projectsQuery(connection).queryKey, data);
      const query = client.getQueryCache().find({ queryKey: projectsQuery(connection).queryKey, exact: true });
      return typeof refetchInterval === 'function' ? refetchInterval(query as never) : refetchInterval;
    };
    expect([poll([]), poll(null)]).toEqual([15_000, false]);
    expect(polledSessionQuery(connection).queryKey).toEqual(sessionQuery(connection).queryKey);
  });

  it('asks for no examples without a model', () => {
    expect([examplesQuery('').enabled, examplesQuery('m').enabled]).toEqual([false, true]);
  });
});

describe('the rows of a snapshot', () => {
  const ndjson = { 'content-type': 'application/x-ndjson; charset=utf-8' };

  it('are offered where the service has them, which costs no row', async () => {
    answer = () => ({ headers: ndjson });
    expect(await client.fetchQuery(rowsOfferQuery('a/b', connection))).toBe(true);
    expect(requests.map(({ method, url }) => [method, url])).toEqual([
      ['HEAD', '/api/v1/studio/snapshots/a%2Fb/rows?bucket=training'],
    ]);
    answer = () => ({ status: 404 });
    expect(await client.fetchQuery(rowsOfferQuery('none', connection))).toBe(false);
    answer = () => ({ headers: { 'content-type': 'text/html' } });
    expect(await client.fetchQuery(rowsOfferQuery('page', connection))).toBe(false);
    answer = () => ({ status: 403 });
    await expect(client.fetchQuery(rowsOfferQuery('closed', connection))).rejects.toMatchObject({ status: 403 });
    expect(rowsOfferQuery('').enabled).toBe(false);
  });

  it('are texts, one a line; none where the service has no such endpoint', async () => {
    server.removeAllListeners('request');
    server.on('request', ({ url }: IncomingMessage, response: ServerResponse) => {
      const isKnown = url?.startsWith('/api/v1/studio/snapshots/s/rows?bucket=validation') === true;
      response.writeHead(isKnown ? 200 : 404, ndjson).end(isKnown ? '{"a":1}\n{"a":2}\n' : '');
    });
    const limits = { lines: 2, length: 100 };
    const lines = ['{"a":1}', '{"a":2}'];
    expect(await client.fetchQuery(rowsQuery('s', 'validation', limits, connection))).toEqual({ lines, isWhole: true });
    expect(await client.fetchQuery(rowsQuery('none', 'validation', limits, connection))).toBeNull();
    expect(rowsQuery('', 'training', limits).enabled).toBe(false);
  });
});

describe('a job', () => {
  const job = { id: 'j', status: 'completed', experiments: [{ id: 'e', lora: true, learning_rate_multiplier: 2e-5 }] };

  it('is read from its own address; a service that does not tell is none, one that refuses is a failure', async () => {
    answer = () => ({ body: job });
    expect(await client.fetchQuery(jobQuery('a/b', connection))).toMatchObject({
      id: 'j',
      experiments: [{ training_type: 'lora', learning_rate_multiplier: 2e-5 }],
    });
    expect(requests.map((request) => request.url)).toEqual(['/api/v1/public/finetuning/a%2Fb']);
    answer = () => ({ status: 404 });
    expect(await client.fetchQuery(jobQuery('none', connection))).toBeNull();
    answer = () => ({ status: 403 });
    await expect(client.fetchQuery(jobQuery('closed', connection))).rejects.toMatchObject({ status: 403 });
    answer = () => ({ body: {} });
    await expect(client.fetchQuery(jobQuery('odd', connection))).rejects.toMatchObject({ kind: 'shape' });
  });

  it.each([
    {
      what: 'jobs',
      most: 3,
      counts: [3, 3, 3, 3, 2],
      fetch: (id: string) => client.fetchQuery(jobQuery(id, connection)),
    },
    {
      what: 'recommendations',
      most: 2,
      counts: [2, 2, 2, 2, 2, 2, 2],
      fetch: (id: string) => client.fetchQuery(recommendationQuery(id, connection)),
    },
  ])('is, like $what, asked for with few others at a time', async ({ most: room, counts: expected, fetch }) => {
    const held: (() => void)[] = [];
    server.removeAllListeners('request');
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const id = request.url?.split('/').at(-1);
      if (id === 'models') response.end('{"data":[]}');
      else held.push(() => response.end(JSON.stringify({ ...job, id, snapshot_id: id })));
    });
    const ids = Array.from({ length: 14 }, (_, index) => `j${index}`);
    const jobs = Promise.all(ids.map(async (id) => (await fetch(id))?.snapshot_id));
    const counts: number[] = [];
    for (let left = ids.length; left > 0;) {
      const most = Math.min(room, left);
      await expect.poll(() => held.length).toBeGreaterThanOrEqual(most);
      // A whole round trip of something else: what is not limited would have come by now.
      await client.fetchQuery({ ...modelsQuery(connection), staleTime: 0 });
      counts.push(held.length);
      left -= held.length;
      for (const release of held.splice(0)) release();
    }
    expect(await jobs).toEqual(ids);
    expect(counts).toEqual(expected);
  });

  it('is not asked for when nobody looks at it any more, nor without an id', async () => {
    answer = () => ({ body: job });
    const waiting = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => {
      const options = jobQuery(id, connection);
      return { key: options.queryKey, result: client.fetchQuery(options).catch((error: unknown) => error) };
    });
    await client.cancelQueries({ queryKey: ['job', 'f'] });
    await Promise.all(waiting.map((entry) => entry.result));
    expect(requests.map((request) => request.url?.at(-1)).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(jobQuery('').enabled).toBe(false);
  });
});
