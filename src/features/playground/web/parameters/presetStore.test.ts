import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { toPreset } from './presets.ts';
import type * as Store from './presetStore.ts';

const mine = (name: string) => toPreset(name, name, { seed: 1 }, { hasPrompt: false, hasTools: false });
let stored: Map<string, string>;
let isFull: boolean;

async function open(): Promise<typeof Store> {
  vi.resetModules();
  return import('./presetStore.ts');
}

const names = (store: typeof Store): readonly string[] => store.usePresets.getState().presets.map(({ name }) => name);

beforeEach(() => {
  stored = new Map();
  isFull = false;
  const setItem = (key: string, value: string): void => {
    if (isFull) throw new DOMException('full', 'QuotaExceededError');
    stored.set(key, value);
  };
  vi.stubGlobal('localStorage', { getItem: (key: string) => stored.get(key) ?? null, setItem });
});

afterEach(() => vi.unstubAllGlobals());

it('keeps presets over a reload, and those of other tabs', async () => {
  const [first, second] = [await open(), await open()];
  first.changePresets((presets) => [...presets, mine('A')]);
  second.changePresets((presets) => [...presets, mine('B')]);
  expect(names(second)).toEqual(['A', 'B']);
  expect(names(await open())).toEqual(['A', 'B']);
});

it('copies unreadable presets aside before it overwrites them, and says so', async () => {
  stored.set('studio.presets', '{broken');
  const store = await open();
  expect(store.usePresets.getState().problem).toContain('“studio.presets.unreadable”');
  store.changePresets(() => [mine('A')]);
  expect([stored.get('studio.presets.unreadable'), names(await open())]).toEqual(['{broken', ['A']]);
});

it('reports full or missing storage, and works without it', async () => {
  const store = await open();
  isFull = true;
  store.changePresets((presets) => [...presets, mine('A')]);
  expect(store.usePresets.getState()).toMatchObject({
    presets: [{ name: 'A' }],
    problem: expect.stringMatching(/^There is no room/) as string,
  });
  vi.stubGlobal('localStorage', undefined);
  const other = await open();
  other.changePresets((presets) => [...presets, mine('A')]);
  other.changePresets((presets) => [...presets, mine('B')]);
  expect(names(other)).toEqual(['A', 'B']);
  expect(other.usePresets.getState().problem).toMatch(/lost when it is reloaded/);
});
