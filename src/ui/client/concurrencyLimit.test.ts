import { expect, it } from 'vitest';
import { ApiFailure } from './failure.ts';
import { createLimiter, type Limiter } from './concurrencyLimit.ts';

const NEVER = new AbortController().signal;

/** A task that ends when it is told to. */
function openTask(limiter: Limiter, name: string, started: string[], signal = NEVER) {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const result = limiter.run(async () => {
    started.push(name);
    await ended;
    return name;
  }, signal);
  return { result, end };
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

it('runs so many at a time, the others in the order in which they came', async () => {
  const limiter = createLimiter(2);
  const started: string[] = [];
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => openTask(limiter, name, started)) as [
    ReturnType<typeof openTask>,
    ReturnType<typeof openTask>,
    ReturnType<typeof openTask>,
    ReturnType<typeof openTask>,
  ];
  await settle();
  expect(started).toEqual(['a', 'b']);
  b.end();
  expect(await b.result).toBe('b');
  await settle();
  expect(started).toEqual(['a', 'b', 'c']);
  for (const task of [a, c, d]) task.end();
  expect(await Promise.all([a.result, c.result, d.result])).toEqual(['a', 'c', 'd']);
});

it('gives the place of a task that failed to the next', async () => {
  const limiter = createLimiter(1);
  const failing = limiter.run(() => Promise.reject(new Error('no')), NEVER);
  const next = limiter.run(async () => 'yes', NEVER);
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
});

it('drops a task whose signal aborts while it waits: it never starts, and nobody waits for it', async () => {
  const limiter = createLimiter(1);
  const started: string[] = [];
  const leaving = new AbortController();
  const first = openTask(limiter, 'first', started);
  const dropped = openTask(limiter, 'dropped', started, leaving.signal);
  const last = openTask(limiter, 'last', started);
  leaving.abort();
  await expect(dropped.result).rejects.toMatchObject({ kind: 'aborted' });
  await expect(openTask(limiter, 'late', started, leaving.signal).result).rejects.toBeInstanceOf(ApiFailure);
  first.end();
  last.end();
  expect(await last.result).toBe('last');
  expect(started).toEqual(['first', 'last']);
});

it('keeps the place of a running task whose signal aborts until it has ended', async () => {
  const limiter = createLimiter(1);
  const started: string[] = [];
  const leaving = new AbortController();
  const first = openTask(limiter, 'first', started, leaving.signal);
  const second = openTask(limiter, 'second', started);
  await settle();
  leaving.abort();
  await settle();
  expect(started).toEqual(['first']);
  first.end();
  second.end();
  expect(await second.result).toBe('second');
});
