import { describe, expect, it, afterEach, beforeEach, vi } from 'vitest';
import { EMPTY_DESK, paneSettings, toPane, type Desk } from '#features/playground/web/desk/desk.ts';
import {
  applyPreset,
  BUILT_IN,
  findNameProblem,
  parsePresets,
  toPreset,
  toPresetText,
  type Preset,
  choosePreset,
} from './presets.ts';
import type * as Store from './presets.ts';
import { createServer } from 'node:http';
import { setLinked, setSettings, setShared, showModels } from '#features/playground/web/desk/actions.ts';
import { pane, press, setStage } from '#features/playground/web/chatStage.fixture.ts';
import { readDesk } from '#features/playground/web/desk/deskStore.ts';

const desk: Desk = {
  ...EMPTY_DESK,
  panes: [toPane('a', 'm'), { ...toPane('b', 'm'), own: { temperature: 1 } }],
  shared: { systemPrompt: 'Be brief.', temperature: 0.7, top_p: 0.9, tools: '[]' },
};
const all = (now: Desk): unknown => now.panes.map((pane) => paneSettings(now, pane));
const builtIn = (id: string): Preset => BUILT_IN.find((preset) => preset.id === id)!;

describe('applied', () => {
  it('to all linked panes keeps the own settings of a pane', () => {
    expect(all(applyPreset(desk, builtIn('deterministic'), null))).toEqual([
      { systemPrompt: 'Be brief.', temperature: 0, top_p: 0.9, tools: '[]', seed: 42 },
      { systemPrompt: 'Be brief.', temperature: 1, top_p: 0.9, tools: '[]', seed: 42 },
    ]);
  });

  it('to one pane changes no other', () => {
    const next = applyPreset(desk, builtIn('defaults'), 'a');
    expect(all(next)).toEqual([
      { systemPrompt: 'Be brief.' },
      { systemPrompt: 'Be brief.', temperature: 1, top_p: 0.9, tools: '[]' },
    ]);
    expect(next.shared).toBe(desk.shared);
  });

  it('unsets its settings without a value', () =>
    expect(applyPreset(desk, builtIn('defaults'), null).shared).toEqual({ systemPrompt: 'Be brief.' }));

  it('brings back exactly what was saved', () => {
    const saved = toPreset('1', ' Mine ', desk.shared, { hasPrompt: true, hasTools: true });
    expect(saved.name).toBe('Mine');
    expect(applyPreset({ ...desk, shared: { seed: 3, stop: ['x'] } }, saved, null).shared).toEqual(desk.shared);
  });

  it('without prompt and tools leaves them alone', () => {
    const saved = toPreset('1', 'Mine', desk.shared, { hasPrompt: false, hasTools: false });
    expect(saved.settings).toEqual({ temperature: 0.7, top_p: 0.9 });
    expect(
      applyPreset({ ...desk, shared: { systemPrompt: 'Other', tools: '[1]', seed: 3 } }, saved, null).shared,
    ).toEqual({ systemPrompt: 'Other', tools: '[1]', temperature: 0.7, top_p: 0.9 });
  });
});

it('needs a unique name', () => {
  const mine = toPreset('1', 'Mine', {}, { hasPrompt: true, hasTools: true });
  expect([
    findNameProblem(' ', []),
    findNameProblem('Mine ', [mine]),
    findNameProblem('Deterministic', []),
    findNameProblem('Yours', [mine]),
  ]).toEqual([
    'Give it a name.',
    'There is a preset “Mine” already.',
    'There is a preset “Deterministic” already.',
    null,
  ]);
});

describe('stored', () => {
  const mine = toPreset('1', 'Mine', desk.shared, { hasPrompt: true, hasTools: true });

  it('is read back', () => expect(parsePresets(toPresetText([mine]))).toEqual({ presets: [mine], isDamaged: false }));
  it('is empty at first', () => expect(parsePresets(null)).toEqual({ presets: [], isDamaged: false }));

  it.each(['', '{', '[]', 'null', '{"version":2,"presets":[]}', '{"version":1}'])('%j is damaged', (text) =>
    expect(parsePresets(text)).toEqual({ presets: [], isDamaged: true }),
  );

  it('keeps the presets that can be read', () => {
    const text = JSON.stringify({
      version: 1,
      presets: [
        mine,
        null,
        { id: 'x', name: '', about: ['seed'] },
        { id: 'y', name: 'Y', about: ['seed', 'odd'], settings: { seed: 'x', temperature: 1 } },
      ],
    });
    expect(parsePresets(text)).toEqual({
      presets: [mine, { id: 'y', name: 'Y', about: ['seed'], settings: {} }],
      isDamaged: true,
    });
  });
});

const mine = (name: string) => toPreset(name, name, { seed: 1 }, { hasPrompt: false, hasTools: false });
let stored: Map<string, string>;
let isFull: boolean;

async function open(): Promise<typeof Store> {
  vi.resetModules();
  return import('./presets.ts');
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

setStage(createServer);

const DETERMINISTIC = BUILT_IN[0]!;

it('undoes a preset and keeps later changes', () => {
  showModels(['a']);
  setShared({ temperature: 1.5 });
  choosePreset(DETERMINISTIC, null);
  expect(readDesk().shared).toMatchObject({ temperature: 0, seed: 42 });
  setShared({ systemPrompt: 'Be brief.' });
  press('“Deterministic” applied');
  expect(readDesk().shared).toMatchObject({ temperature: 1.5, systemPrompt: 'Be brief.' });
  expect(readDesk().shared.seed).toBeUndefined();
});

it('undoes a preset of one pane and keeps its links', () => {
  showModels(['a', 'b']);
  setLinked(pane(0).id, ['top_p'], false);
  choosePreset(DETERMINISTIC, pane(0).id);
  setSettings(pane(0).id, { top_p: 0.5 });
  press('“Deterministic” applied');
  expect(pane(0).own).toEqual({ top_p: 0.5 });
});
