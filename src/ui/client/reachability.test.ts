import { createServer } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { subscribeUnreachable } from './reachability.ts';
import { requestStream } from './request.ts';
import { openTestServer } from './server.fixture.ts';

let stop = (): void => undefined;
afterEach(() => stop());

/** How often silence was announced while `ask` ran. */
async function count(ask: () => Promise<unknown>): Promise<number> {
  let times = 0;
  stop = subscribeUnreachable(() => (times += 1));
  await ask().catch(() => undefined);
  return times;
}

it('announces a request that nobody answers, not one that is answered badly or stopped', async () => {
  const { connection, close } = await openTestServer(createServer((_, response) => response.writeHead(503).end()));
  expect(await count(() => requestStream('/', { connection }))).toBe(0);
  stop();
  expect(await count(() => requestStream('/', { connection, signal: AbortSignal.abort() }))).toBe(0);
  stop();
  await close();
  expect(await count(() => requestStream('/', { connection }))).toBe(1);
});
