// The upstream's list of models: as fresh as it can be had without waiting, and kept while the upstream is silent.
import { describe, expect, it } from 'vitest';
import type { ModelEntry } from '#core/contract/completion.ts';
import { UpstreamModels } from './upstreamModels.ts';

const IDLE = new AbortController().signal;
const entries = (...ids: readonly string[]): ModelEntry[] =>
  ids.map((id) => ({ id, created: 0, object: 'model', owned_by: 'x' }));
const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

interface Attempt {
  readonly resolve: (list: readonly ModelEntry[]) => void;
  readonly reject: (error: Error) => void;
}

/** Lists whose attempts a test answers by hand, on a clock that stands still until it is moved. */
function openModels() {
  const attempts: Attempt[] = [];
  const told: (string | null)[] = [];
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  let time = 0;
  const models = new UpstreamModels({
    fetch: (signal) =>
      new Promise((resolve, reject) => {
        attempts.push({ resolve, reject });
        signal.addEventListener('abort', () => reject(new Error('closed')));
      }),
    onChange: (failure) => told.push(failure?.message ?? null),
    clock: {
      later(run, ms) {
        const timer = { at: time + ms, run };
        timers.add(timer);
        return () => void timers.delete(timer);
      },
    },
  });
  const advance = async (ms: number): Promise<void> => {
    await settle();
    time += ms;
    for (const timer of [...timers].filter(({ at }) => at <= time)) {
      timers.delete(timer);
      timer.run();
    }
    await settle();
  };
  const answer = async (index: number, list: readonly ModelEntry[] | Error): Promise<void> => {
    if (list instanceof Error) attempts[index]?.reject(list);
    else attempts[index]?.resolve(list);
    await settle();
  };
  return { models, attempts, told, advance, answer };
}

describe('a check', () => {
  it('fails when the last attempt failed, though the list is kept', async () => {
    const { models, answer } = openModels();
    const first = models.check();
    await answer(0, entries('a'));
    await first;
    const second = expect(models.check()).rejects.toThrow('down');
    await answer(1, new Error('down'));
    await second;
    await expect(models.check()).rejects.toThrow('down');
    expect(await models.list()).toEqual(entries('a'));
  });

  it('is over after a second: what was never heard of fails, what answered before does not', async () => {
    const { models, answer, advance } = openModels();
    const silent = expect(models.check()).rejects.toMatchObject({ code: 'engine_slow' });
    await advance(1_000);
    await silent;
    await answer(0, entries('a'));
    const slow = models.check();
    await advance(1_000);
    await slow;
  });
});

describe('the list', () => {
  it('is asked anew each time while the engine answers', async () => {
    const { models, attempts, answer, told } = openModels();
    const first = models.list();
    await answer(0, entries('a'));
    expect(await first).toEqual(entries('a'));
    const second = models.list();
    await answer(1, entries('a', 'b'));
    expect(await second).toEqual(entries('a', 'b'));
    expect([attempts.length, told]).toEqual([2, []]);
  });

  it('is the last known one when the engine takes its time', async () => {
    const { models, attempts, advance, answer } = openModels();
    const first = models.list();
    await answer(0, entries('a'));
    await first;
    const slow = models.list();
    await advance(250);
    expect(await slow).toEqual(entries('a'));
    // The slow answer is not asked for twice, nobody else waits for it, and it counts when it comes.
    expect([await models.list(), attempts.length]).toEqual([entries('a'), 2]);
    await answer(1, entries('b'));
    expect(await models.find('b', IDLE)).toEqual(entries('b')[0]);
  });

  it('a first one that does not come is not waited for longer than a second', async () => {
    const { models, advance } = openModels();
    const first = models.list();
    const told = expect(first).rejects.toMatchObject({ status: 503, code: 'engine_slow', retryAfter: '1' });
    await advance(1_000);
    await told;
    await expect(models.list()).rejects.toMatchObject({ code: 'engine_slow' });
  });

  it('is kept while the engine is unreachable, which is said once for each reason, and asked for in the background', async () => {
    const { models, attempts, told, advance, answer } = openModels();
    const first = models.list();
    await answer(0, entries('a'));
    await first;
    const second = models.list();
    await answer(1, new Error('gone'));
    expect(await second).toEqual(entries('a'));
    // Nobody waits any more, and asking more often does not ask the engine more often.
    for (let round = 0; round < 5; round += 1) expect(await models.list()).toEqual(entries('a'));
    expect([attempts.length, told]).toEqual([2, ['gone']]);
    await advance(1_000);
    await answer(2, new Error('still gone'));
    await advance(1_000);
    expect(attempts).toHaveLength(3);
    await advance(1_000);
    expect([attempts.length, told]).toEqual([4, ['gone', 'still gone']]);
    await answer(3, entries('a', 'c'));
    expect(told).toEqual(['gone', 'still gone', null]);
    const back = models.list();
    await answer(4, entries('a', 'c'));
    expect(await back).toEqual(entries('a', 'c'));
  });

  it('waits at most 30 s between attempts, and from the start again after it was back', async () => {
    const { models, attempts, advance, answer } = openModels();
    models.list().catch(() => undefined);
    for (const [index, ms] of [1, 2, 4, 8, 16, 30, 30].entries()) {
      await answer(index, new Error('gone'));
      await advance(ms * 1_000 - 1);
      expect(attempts).toHaveLength(index + 1);
      await advance(1);
      expect(attempts).toHaveLength(index + 2);
    }
    await answer(7, entries('a'));
    models.list().catch(() => undefined);
    await answer(8, new Error('gone'));
    await advance(1_000);
    expect(attempts).toHaveLength(10);
  });

  it('fails at once when none was ever had', async () => {
    const { models, answer } = openModels();
    const first = models.list();
    const told = expect(first).rejects.toThrow('refused');
    await answer(0, new Error('refused'));
    await told;
    await expect(models.list()).rejects.toThrow('refused');
  });
});

describe('a model', () => {
  it('that is known is found without asking, also while the engine is silent', async () => {
    const { models, attempts, answer } = openModels();
    const found = models.find('a', IDLE);
    await answer(0, entries('a'));
    expect([await found, await models.find('a', IDLE), attempts.length]).toMatchObject([{ id: 'a' }, { id: 'a' }, 1]);
  });

  it('that is unknown is asked for', async () => {
    const { models, answer } = openModels();
    const first = models.find('b', IDLE);
    await answer(0, entries('a'));
    expect(await first).toBeNull();
    const again = models.find('b', IDLE);
    await answer(1, entries('a', 'b'));
    expect(await again).toMatchObject({ id: 'b' });
  });

  it('of an engine that was unreachable is asked for again, for a second at most', async () => {
    const { models, advance, answer } = openModels();
    const first = models.find('a', IDLE);
    const told = expect(first).rejects.toThrow('gone');
    await answer(0, new Error('gone'));
    await told;
    const slow = expect(models.find('a', IDLE)).rejects.toThrow('gone');
    await advance(1_000);
    await slow;
    const back = models.find('a', IDLE);
    await answer(1, entries('a'));
    expect(await back).toMatchObject({ id: 'a' });
  });

  it('a caller who leaves waits no longer', async () => {
    const { models } = openModels();
    const controller = new AbortController();
    const found = models.find('a', controller.signal);
    controller.abort();
    await expect(found).rejects.toMatchObject({ name: 'AbortError' });
  });
});

it('closing ends the attempts', async () => {
  const { models, attempts, told, advance } = openModels();
  models.list().catch(() => undefined);
  await settle();
  models.close(new Error('closed'));
  await advance(60_000);
  expect([attempts.length, told]).toEqual([1, []]);
});
