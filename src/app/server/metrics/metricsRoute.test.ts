// `GET /metrics` over HTTP.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Readiness } from '#app/server/backend.ts';
import { openTestService, TOKEN, type TestService } from '#service/http/testService.fixture.ts';
import type { Metric } from './metrics.ts';
import { toMetricsRoute } from './metricsRoute.ts';
import { openRequestCounts } from './requestCounts.ts';
import { atEnd, keep } from '#service/files/keep.fixture.ts';

async function open(
  more: { isOpen?: boolean; checks?: Readiness; readBackend?: () => Promise<readonly Metric[]> } = {},
) {
  const { isOpen = false, checks = { database: 'ok', engine: 'failed' }, readBackend } = more;
  const requests = openRequestCounts();
  requests.count({ method: 'GET', route: '/a/{id}', status: 200, seconds: 0.25 });
  requests.count({ method: 'GET', route: '/a/{id}', status: 200, seconds: 0.5 });
  requests.count({ method: 'POST', route: '/a/{id}', status: 400, seconds: 0 });
  const route = toMetricsRoute({
    version: '1.2.3',
    isOpen,
    requests,
    streams: { count: 2 },
    readiness: async () => checks,
    ...(readBackend ? { readBackend } : {}),
  });
  return keep(openTestService({ routes: () => [route] }));
}

it('needs the token, unless the operator opened it', async () => {
  const closed = await open();
  expect((await closed.ask('/metrics')).status).toBe(401);
  expect((await closed.askSigned('/metrics')).status).toBe(200);
  const opened = await (await open({ isOpen: true })).ask('/metrics');
  expect([opened.status, opened.headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
});

it('tells requests, streams, parts that answer, and the process', async () => {
  const { text } = await (await open()).askSigned('/metrics');
  const lines = text.split('\n');
  for (const line of [
    'model_studio_info{version="1.2.3"} 1',
    'model_studio_up{part="database"} 1',
    'model_studio_up{part="engine"} 0',
    'model_studio_open_streams 2',
    'model_studio_requests_total{method="GET",route="/a/{id}",status="200"} 2',
    'model_studio_requests_total{method="POST",route="/a/{id}",status="400"} 1',
    'model_studio_request_seconds_total{method="GET",route="/a/{id}",status="200"} 0.75',
  ])
    expect(lines).toContain(line);
  expect(text).toMatch(/^model_studio_process_resident_memory_bytes \d{7,}$/m);
  expect(text).not.toContain(TOKEN);
  // Each line is a comment, or a name with labels and a number.
  for (const line of lines.slice(0, -1)) expect(line).toMatch(/^(#.*|\w+(\{.*\})? [\d.e+-]+)$/);
});

it('of a gateway says nothing of parts that it has not', async () => {
  const { text } = await (await open({ checks: { database: 'unused', engine: 'unknown' } })).askSigned('/metrics');
  expect(text).not.toContain('model_studio_up');
});

it('adds the figures of the backend, and goes without them while the database is away', async () => {
  const metric: Metric = { name: 'queue_waiting', type: 'gauge', help: 'W.', samples: [{ value: 4 }] };
  const good = await open({ readBackend: async () => [metric] });
  expect((await good.askSigned('/metrics')).text).toContain('model_studio_queue_waiting 4\n');
  const away = await open({ readBackend: () => Promise.reject(new Error('away')) });
  const answer = await away.askSigned('/metrics');
  expect([answer.status, answer.text.includes('queue_waiting')]).toEqual([200, false]);
});

describe('the service', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await openTestService();
  });
  afterAll(() => service.close());

  it('counts requests by their route, never by their path', async () => {
    await service.askSigned('/api/v1/public/projects/6f0c2a1e-0d5b-4c37-9a51-1f2e3d4c91ab');
    await service.ask('/api/v1/public/projects/other');
    await service.askSigned('/api/v1/no/such/endpoint');
    await service.ask('/healthz', { method: 'PATCH' });
    const counted = () => service.requests.toMetrics()[0]?.samples;
    const route = '/api/v1/public/projects/{projectId}';
    await vi.waitFor(() =>
      expect(counted()).toEqual(
        expect.arrayContaining([
          { labels: { method: 'GET', route, status: '200' }, value: 1 },
          { labels: { method: 'GET', route, status: '401' }, value: 1 },
          { labels: { method: 'other', route: '/healthz', status: '405' }, value: 1 },
        ]),
      ),
    );
    expect(counted()).toHaveLength(3);
  });
});

it('counts a request whose sender left before any answer as aborted, not as answered', async () => {
  let arrived: () => void = () => undefined;
  const arrival = new Promise<void>((resolve) => (arrived = resolve));
  let left: () => void = () => undefined;
  const leaving = new Promise<void>((resolve) => (left = resolve));
  const service = await openTestService({
    routes: () => [
      {
        method: 'GET',
        path: '/slow',
        isOpen: true,
        async handle({ env }) {
          env.outgoing.once('close', left);
          arrived();
          await leaving;
          return new Response('late');
        },
      },
    ],
  });
  atEnd(() => service.close());
  const sender = new AbortController();
  const answer = service.ask('/slow', { signal: sender.signal });
  await arrival;
  sender.abort();
  await expect(answer).rejects.toThrow();
  await leaving;
  const [total] = service.requests.toMetrics();
  expect(total?.samples).toEqual([{ labels: { method: 'GET', route: '/slow', status: 'aborted' }, value: 1 }]);
});
