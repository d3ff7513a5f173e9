import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readTail, TabTail } from './tabTail.ts';

let kept = new Map<string, string>();

beforeEach(() => {
  kept = new Map();
  vi.useFakeTimers();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('is written once for all that changes within a tenth of a second', () => {
  const make = vi.fn(() => 'text');
  const tail = new TabTail('key', make);
  for (let at = 0; at < 1_000; at += 10) {
    tail.soon();
    vi.advanceTimersByTime(10);
  }
  expect(make).toHaveBeenCalledTimes(10);
  expect(readTail('key')).toBe('text');
});

it('is written at once where the page goes, and not a second time', () => {
  const make = vi.fn(() => 'text');
  const tail = new TabTail('key', make);
  tail.soon();
  tail.now();
  vi.advanceTimersByTime(1_000);
  expect([make.mock.calls.length, readTail('key')]).toEqual([1, 'text']);
});

it('is written less often where it takes long', () => {
  const make = vi.fn(() => {
    vi.advanceTimersByTime(20);
    return 'a long text';
  });
  const tail = new TabTail('key', make);
  for (let at = 0; at < 2_000; at += 10) {
    tail.soon();
    vi.advanceTimersByTime(10);
  }
  expect(make.mock.calls.length).toBeLessThan(6);
});

it('goes when there is nothing to keep, and stays where nobody can say', () => {
  kept.set('key', 'of before');
  new TabTail('key', () => undefined).now();
  expect(readTail('key')).toBe('of before');
  new TabTail('key', () => null).now();
  expect(readTail('key')).toBeNull();
});

it('keeps the text of before where the storage is full or forbidden', () => {
  kept.set('key', 'of before');
  vi.stubGlobal('sessionStorage', {
    ...sessionStorage,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  });
  new TabTail('key', () => 'new').now();
  expect(readTail('key')).toBe('of before');
  vi.stubGlobal('sessionStorage', undefined);
  new TabTail('key', () => 'new').now();
  expect(readTail('key')).toBeNull();
});
