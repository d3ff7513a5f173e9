// Reads that may take long, over HTTP: a route whose work goes on until the test ends it.
import { afterEach, expect, it, vi } from 'vitest';
import { makeToken, toTokenHash, type NamedToken } from '#features/access/server/tokens.ts';
import { openBoundedReads, type BoundedReadsOptions } from './boundedReads.ts';
import { sendJson, signalOf, type Route } from './route.ts';
import { openTestService, type Answer, type TestService } from './testService.fixture.ts';

const PATH = '/api/v1/slow';
const [ADA, BEA] = ['a', 'b'].map((letter) => makeToken(() => letter.repeat(43))) as [string, string];
const NAMES = new Map([ADA, BEA].map((token, at) => [toTokenHash(token), ['ada', 'bea'][at] ?? '']));

/** A work that has begun. */
interface Work {
  readonly who: string;
  readonly signal: AbortSignal;
  end(): void;
}

const works: Work[] = [];
let service: TestService | null = null;
afterEach(async () => {
  for (const work of works.splice(0)) work.end();
  await service?.close();
});

async function open(limits: { perCaller: number; inAll: number; limitMs?: number }, more: BoundedReadsOptions = {}) {
  const page = { limitMs: null, ...limits };
  const loads = { page, render: page, whole: page, folder: page, file: page };
  const slow: Route = {
    method: 'GET',
    path: PATH,
    load: 'page',
    handle: (context) =>
      new Promise((resolve) => {
        const work = { who: context.req.query('who') ?? '', signal: signalOf(context) };
        works.push({ ...work, end: () => resolve(sendJson(work.who)) });
      }),
  };
  const quick: Route = { method: 'GET', path: '/api/v1/quick', handle: () => sendJson('quick') };
  const find = async (hash: string): Promise<NamedToken | null> => {
    const name = NAMES.get(hash);
    return name === undefined ? null : { name, isReadOnly: true, createdAt: new Date(0) };
  };
  service = await openTestService({
    routes: () => [slow, quick],
    tokens: { find },
    answerRead: openBoundedReads({ loads, ...more }),
  });
  return service;
}

const askAs = (token: string, who: string, signal?: AbortSignal): Promise<Answer> =>
  service!.ask(`${PATH}?who=${who}`, { headers: { Authorization: `Bearer ${token}` }, ...(signal ? { signal } : {}) });

/** The works that have begun and not ended, in order. */
const begun = (): string[] => works.map(({ who }) => who);
const endFirst = (): void => works.shift()?.end();

/** The service has got all requests before. */
const settle = async (): Promise<void> => {
  for (let round = 0; round < 3; round += 1) await service!.ask('/healthz');
};

it('of one caller a few are answered at a time, and others have their turn at once', async () => {
  await open({ perCaller: 1, inAll: 2 });
  const all = ['a1', 'a2', 'a3'].map((who) => askAs(ADA, who));
  await expect.poll(begun).toEqual(['a1']);
  await settle();
  all.push(askAs(BEA, 'b1'));
  await expect.poll(begun).toEqual(['a1', 'b1']);
  expect((await service!.askSigned('/api/v1/quick')).status).toBe(200);
  for (const next of [['b1', 'a2'], ['a2'], ['a3']]) {
    endFirst();
    await expect.poll(begun).toEqual(next);
  }
  endFirst();
  expect((await Promise.all(all)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

it('one too many gets 429 with the time after which there is a place', async () => {
  await open({ perCaller: 1, inAll: 1 }, { waiting: { perCaller: 1, inAll: 8 } });
  const kept = ['a1', 'a2'].map((who) => askAs(ADA, who));
  await expect.poll(begun).toEqual(['a1']);
  await settle();
  const refused = await askAs(ADA, 'a3');
  expect([refused.status, refused.json()]).toMatchObject([429, { error: { code: 'too_many_waiting' } }]);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  kept.push(askAs(BEA, 'b1'));
  endFirst();
  await expect.poll(begun).toHaveLength(1);
  endFirst();
  await expect.poll(begun).toHaveLength(1);
  endFirst();
  expect((await Promise.all(kept)).map(({ status }) => status)).toEqual([200, 200, 200]);
  const again = askAs(ADA, 'a3');
  await expect.poll(begun).toEqual(['a3']);
  endFirst();
  expect((await again).status).toBe(200);
});

it('all sessions of a named token are one caller', async () => {
  const { ask } = await open({ perCaller: 1, inAll: 9 });
  const signIn = async (): Promise<string> => {
    const body = JSON.stringify({ token: ADA });
    const answer = await ask('/api/session', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    return answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  };
  const cookies = [await signIn(), await signIn()];
  const all = cookies.map((Cookie, at) => ask(`${PATH}?who=${at}`, { headers: { Cookie } }));
  await expect.poll(begun).toHaveLength(1);
  await settle();
  expect(begun()).toHaveLength(1);
  endFirst();
  await expect.poll(begun).toHaveLength(1);
  endFirst();
  expect((await Promise.all(all)).map(({ status }) => status)).toEqual([200, 200]);
});

it('work is told when its reader has left, and has its place until it ends', async () => {
  await open({ perCaller: 1, inAll: 1 });
  const leaving = new AbortController();
  const left = askAs(ADA, 'a1', leaving.signal).catch((error: unknown) => error);
  await expect.poll(begun).toEqual(['a1']);
  const waits = new AbortController();
  const alsoLeft = askAs(ADA, 'a2', waits.signal).catch((error: unknown) => error);
  const next = askAs(ADA, 'a3');
  await settle();
  leaving.abort();
  waits.abort();
  await Promise.all([left, alsoLeft]);
  await vi.waitFor(() => expect(works[0]?.signal.aborted).toBe(true));
  expect(begun()).toEqual(['a1']);
  endFirst();
  await expect.poll(begun).toEqual(['a3']);
  endFirst();
  expect((await next).status).toBe(200);
  expect(service!.log).toEqual([]);
});

it('work that takes too long is told to end, and its caller is told why', async () => {
  await open({ perCaller: 1, inAll: 1, limitMs: 50 });
  const answer = await askAs(ADA, 'a1');
  expect([answer.status, answer.json()]).toMatchObject([504, { error: { code: 'took_too_long' } }]);
  expect(works[0]?.signal.aborted).toBe(true);
});

it('who has waited too long is told when to come again', async () => {
  await open({ perCaller: 1, inAll: 1 }, { waitMs: 50 });
  const first = askAs(ADA, 'a1');
  await expect.poll(begun).toEqual(['a1']);
  const answer = await askAs(ADA, 'a2');
  expect([answer.status, answer.headers['retry-after']]).toEqual([429, '1']);
  endFirst();
  expect((await first).status).toBe(200);
});

it('a caller has some answers that are not read yet, and no more', async () => {
  await open({ perCaller: 9, inAll: 9 }, { unsent: { perCaller: 2, inAll: 9 } });
  const kept = ['a1', 'a2'].map((who) => askAs(ADA, who));
  await expect.poll(begun).toHaveLength(2);
  expect((await askAs(ADA, 'a3')).status).toBe(429);
  for (const work of works.splice(0)) work.end();
  expect((await Promise.all(kept)).map(({ status }) => status)).toEqual([200, 200]);
  const again = askAs(ADA, 'a3');
  await expect.poll(begun).toHaveLength(1);
  endFirst();
  expect((await again).status).toBe(200);
});
