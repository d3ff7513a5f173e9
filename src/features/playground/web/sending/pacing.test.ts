import { describe, expect, it } from 'vitest';
import { paced } from './pacing.ts';

async function* toItems(count: number): AsyncGenerator<number> {
  for (let index = 0; index < count; index += 1) yield index;
}

describe('paced', () => {
  it('gives every item in order and pauses once a slice, not once an item', async () => {
    let time = 0;
    const log: (number | 'pause')[] = [];
    const pause = async (): Promise<void> => void log.push('pause');
    for await (const item of paced(toItems(12), { now: () => time, arrivedAt: () => 0, pause })) {
      log.push(item);
      time += 4;
    }
    expect(log.filter((entry) => entry !== 'pause')).toEqual(Array.from({ length: 12 }, (_, index) => index));
    expect(log.slice(0, 5)).toEqual([0, 1, 2, 'pause', 3]);
    expect(log.filter((entry) => entry === 'pause')).toHaveLength(4);
  });

  it('does not pause what is quick', async () => {
    let pauses = 0;
    for await (const _ of paced(toItems(1000), {
      now: () => 0,
      arrivedAt: () => 0,
      pause: async () => void (pauses += 1),
    }))
      continue;
    expect(pauses).toBe(0);
  });

  it('counts only its own work: a slow stream is never paused', async () => {
    let time = 0;
    let arrivedAt = 0;
    let pauses = 0;
    async function* slowly(): AsyncGenerator<number> {
      for (let index = 0; index < 20; index += 1) {
        time += 50;
        arrivedAt = time;
        time += 1;
        yield index;
      }
    }
    for await (const _ of paced(slowly(), {
      now: () => time,
      arrivedAt: () => arrivedAt,
      pause: async () => void (pauses += 1),
    }))
      continue;
    expect(pauses).toBe(2);
  });

  it('ends in a task of its own where reading took a while', async () => {
    let time = 0;
    const log: (number | 'pause')[] = [];
    for await (const item of paced(toItems(2), {
      now: () => time,
      arrivedAt: () => 0,
      pause: async () => void log.push('pause'),
    })) {
      log.push(item);
      time += 2;
    }
    expect(log).toEqual([0, 1, 'pause']);
  });

  it('passes a failure on, and ends its source when the consumer stops', async () => {
    let isEnded = false;
    async function* failing(): AsyncGenerator<number> {
      try {
        yield 1;
        throw new Error('cut');
      } finally {
        isEnded = true;
      }
    }
    const deps = { now: () => 0, arrivedAt: () => 0, pause: () => Promise.resolve() };
    const all = paced(failing(), deps);
    expect(await all.next()).toEqual({ done: false, value: 1 });
    await expect(all.next()).rejects.toThrow('cut');
    isEnded = false;
    for await (const _ of paced(failing(), deps)) break;
    expect(isEnded).toBe(true);
  });
});
