import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { subscribeUnreachable } from './reachability';
import { requestStream } from './request';

let stop = (): void => undefined;
afterEach(() => stop());

/** How often silence was announced while `ask` ran. */
async function count(ask: () => Promise<unknown>): Promise<number> {
  let times = 0;
  stop = subscribeUnreachable(() => (times += 1));
  await ask().catch(() => undefined);
  return times;
}

async function openServer(): Promise<{ baseUrl: string; close: () => Promise<void> }> {
  const server = createServer((_, response) => response.writeHead(503).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, close: () => new Promise((resolve) => void server.close(() => resolve())) };
}

it('announces a request that nobody answers, not one that is answered badly or stopped', async () => {
  const { baseUrl, close } = await openServer();
  const connection = { baseUrl, now: () => 0 };
  expect(await count(() => requestStream('/', { connection }))).toBe(0);
  stop();
  expect(await count(() => requestStream('/', { connection, signal: AbortSignal.abort() }))).toBe(0);
  stop();
  await close();
  expect(await count(() => requestStream('/', { connection }))).toBe(1);
});
