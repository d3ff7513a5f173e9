import { createServer, type RequestListener } from 'node:http';
import { expect, it } from 'vitest';
import { openRateMeaning } from './remoteSession.ts';
import { listen } from '#service/files/keep.fixture.ts';
import { keepUpstream } from './gateway.fixture.ts';

const openRemote = async (listener: RequestListener, waitMs?: number): Promise<() => Promise<boolean | null>> =>
  openRateMeaning(keepUpstream(await listen(createServer(listener))), waitMs);

it.each([
  [200, '{"mode":"local","learning_rate_is_absolute":true}', true],
  [200, '{"mode":"local","learning_rate_is_absolute":false}', false],
  [200, '{"mode":"gateway","learning_rate_is_absolute":null}', null],
  [200, '{"mode":"local"}', null],
  [200, '<!doctype html>', null],
  [404, '{"learning_rate_is_absolute":true}', null],
])('a remote that answers %i %s means %s, and is asked once', async (status, body, meaning) => {
  const asked: unknown[] = [];
  const ask = await openRemote((incoming, outgoing) => {
    asked.push([incoming.method, incoming.url, incoming.headers.authorization]);
    outgoing.writeHead(status).end(body);
  });
  expect([await ask(), await ask()]).toEqual([meaning, meaning]);
  expect(asked).toEqual([['GET', '/api/session', 'Bearer key']]);
});

it('a remote that is down is asked again', async () => {
  let isUp = false;
  const ask = await openRemote((_, outgoing) => {
    outgoing.writeHead(isUp ? 200 : 503).end('{"learning_rate_is_absolute":true}');
  });
  expect(await ask()).toBeNull();
  isUp = true;
  expect(await ask()).toBe(true);
});

it('a remote that does not answer is not waited for', async () => {
  const ask = await openRemote(() => undefined, 30);
  expect(await ask()).toBeNull();
});

it('a remote that stops in the middle of its answer is not waited for', async () => {
  const ask = await openRemote((_, outgoing) => void outgoing.writeHead(200).write('{'), 100);
  expect(await ask()).toBeNull();
});
