import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  changePresets,
  deletePreset,
  renamePreset,
  toPreset,
  toPresetText,
  usePresets,
} from '#features/playground/web/parameters/presets.ts';
import { dismissToast, readToasts } from '#ui/kit/toast.ts';
import { keepLibrary, NO_LIBRARY, READ_ONLY } from './memoryLibrary.fixture.ts';
import { deleteShared, refreshPresets, renameShared, useSharedPresets } from './sharedPresets.ts';

const library = keepLibrary();
const stored = new Map<string, string>();
const mine = (name: string) => toPreset(name.toLowerCase(), name, { seed: 1 }, { hasPrompt: false, hasTools: false });
const shared = () => useSharedPresets.getState().presets;
const own = () => usePresets.getState().presets.map(({ name }) => name);
const said = () => readToasts().map(({ text }) => text);

beforeEach(() => {
  stored.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  });
  useSharedPresets.setState({ hasLibrary: null, presets: [], problem: null });
  usePresets.setState({ presets: [], problem: null });
});
afterEach(() => readToasts().forEach(({ id }) => dismissToast(id)));

it('presets that a browser kept move to the studio once, with all that they set', async () => {
  changePresets(() => [mine('Careful'), mine('Brief')]);
  await refreshPresets();
  expect(shared()).toMatchObject([mine('Careful'), mine('Brief')]);
  expect([own(), stored.get('studio.presets')]).toEqual([[], toPresetText([])]);
  await refreshPresets();
  expect(library.asked).toEqual(['PUT careful', 'PUT brief']);
});

it.each([
  ['where there is no library', NO_LIBRARY, false],
  ['where the token may only read', READ_ONLY, true],
])('presets stay in the browser %s', async (_, refuse, hasLibrary) => {
  library.refuse = refuse;
  changePresets(() => [mine('Careful')]);
  await refreshPresets();
  expect([own(), useSharedPresets.getState().hasLibrary]).toEqual([['Careful'], hasLibrary]);
});

it.each([
  ['before its turn', 'careful'],
  ['while it is sent', 'brief'],
  ['after it was sent', 'third'],
])('a preset that is deleted %s does not come back', async (_, during) => {
  changePresets(() => [mine('Careful'), mine('Brief'), mine('Third')]);
  library.during(`PUT ${during}`, () => deletePreset(mine('Brief')));
  await refreshPresets();
  expect([own(), shared(), [...library.items.keys()]]).toMatchObject([
    [],
    [{ name: 'Careful' }, { name: 'Third' }],
    ['careful', 'third'],
  ]);
  readToasts()[0]?.action?.onSelect();
  await refreshPresets();
  expect(shared().map(({ name }) => name)).toEqual(['Careful', 'Third', 'Brief']);
});

it.each([
  ['before its turn', 'careful'],
  ['while it is sent', 'brief'],
  ['after it was sent', 'third'],
])('a preset that is renamed %s keeps its new name', async (_, during) => {
  changePresets(() => [mine('Careful'), mine('Brief'), mine('Third')]);
  library.during(`PUT ${during}`, () => renamePreset('brief', 'Short'));
  await refreshPresets();
  expect([own(), shared()]).toMatchObject([[], [{ name: 'Careful' }, { name: 'Short' }, { name: 'Third' }]]);
});

it('an older list that answers late does not replace a newer one', async () => {
  const older = Response.json({ items: [] });
  library.refuse = () => {
    library.refuse = () => null;
    return new Promise((resolve) => setTimeout(resolve, 20, older));
  };
  const first = refreshPresets();
  library.save('a', 'Careful', JSON.stringify({ about: ['seed'], settings: { seed: 1 } }));
  const second = refreshPresets();
  await Promise.all([first, second]);
  expect(shared()).toMatchObject([{ name: 'Careful' }]);
});

it('a rename of what somebody else renamed says what both typed, and changes nothing', async () => {
  library.save('a', 'Careful', JSON.stringify({ about: ['seed'], settings: { seed: 1 } }));
  await refreshPresets();
  const [preset] = shared();
  library.save('a', 'Theirs', library.items.get('a')?.content ?? '');
  await renameShared(preset!, 'Mine');
  expect(said()).toEqual(['Not renamed to “Mine”. It was changed by Anna and is called “Theirs” now.']);
  expect(shared()).toMatchObject([{ name: 'Theirs' }]);
});

it('a deleted preset comes back as it was', async () => {
  library.save('a', 'Careful', '{"about":["seed"],"settings":{"seed":1},"later":true}');
  await refreshPresets();
  await deleteShared(shared()[0]!);
  expect([library.items.size, shared()]).toEqual([0, []]);
  readToasts()[0]?.action?.onSelect();
  await expect.poll(() => shared()).toMatchObject([{ name: 'Careful' }]);
  expect(library.items.get('a')?.content).toContain('"later":true');
});

it('an item of the library that is no preset of this page is left alone', async () => {
  library.save('a', 'Broken', '{');
  library.save('b', 'Empty', '[]');
  await refreshPresets();
  expect([shared(), library.items.size]).toEqual([[], 2]);
});
