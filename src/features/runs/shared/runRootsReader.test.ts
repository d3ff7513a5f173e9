import { describe, expect, it } from 'vitest';
import { readRunRoot, readRunRoots } from './runRootsReader.ts';
import { runRootSchema, type RunRoot } from './runs.ts';

function read<T>(result: { ok: true; value: T } | { ok: false; reason: string }): T {
  if (!result.ok) throw new Error(result.reason);
  return result.value;
}

/** Every field that our service sends. */
const root: RunRoot = {
  id: '3f0c1a52-7b1e-4a1d-9c55-0123456789ab',
  path: '/data/outputs',
  state: 'polling',
  state_reason: 'The system reports no changes here.',
  from_flag: true,
  folders: 3,
  files: 9,
  runs: 2,
  formats: [{ format: 'tensorboard', label: 'TensorBoard', runs: 2 }],
  not_understood: [{ folder: 'photos', reason: 'No sign of training.' }],
  not_understood_count: 7,
  problems: [{ file: 'a/events', problem: 'It is damaged.' }],
  scanned_at: 1_790_000_000_000,
  grouping: { by: 'parameter', parameter: 'seed' },
};

describe('readRunRoots', () => {
  it('keeps every field that our service sends', () => {
    expect(runRootSchema.parse(root)).toEqual(root);
    expect(read(readRunRoots({ roots: [root] }))).toEqual([root]);
    expect(read(readRunRoot(root))).toEqual(root);
  });

  it('counts what was listed where the service gives no count, and shows an unknown state as the usual one', () => {
    const { not_understood: listed } = root;
    expect(read(readRunRoot({ id: 'a', not_understood: listed })).not_understood_count).toBe(1);
    expect(read(readRunRoot({ id: 'a', state: 'resting' }))).toMatchObject({ state: 'watching', scanned_at: null });
  });

  it('names a format that has no label by its own name', () => {
    expect(read(readRunRoot({ id: 'a', formats: [{ format: 'axolotl' }] })).formats).toEqual([
      { format: 'axolotl', label: 'axolotl', runs: 0 },
    ]);
  });

  it.each([[null], [{ id: '' }], [[]]])('refuses %j as one folder', (body) => expect(readRunRoot(body).ok).toBe(false));

  it('reads what is missing as empty', () => {
    expect(read(readRunRoots({ roots: [{ id: 'a', path: '/x' }, 7, {}] }))).toMatchObject([
      { id: 'a', path: '/x', formats: [], not_understood: [], grouping: { by: 'folder' }, from_flag: false },
    ]);
  });

  it.each([
    ['accuracy', 'accuracy'],
    ['', undefined],
    [7, undefined],
  ])('reads the measure %j as %j', (main_measure, expected) =>
    expect(read(readRunRoot({ id: 'a', main_measure })).main_measure).toBe(expected),
  );

  it.each([
    [
      { by: 'pattern', pattern: '(\\w+)-' },
      { by: 'pattern', pattern: '(\\w+)-' },
    ],
    [
      { by: 'parameter', parameter: 'lr' },
      { by: 'parameter', parameter: 'lr' },
    ],
    [{ by: 'moon' }, { by: 'folder' }],
  ])('reads the grouping %j', (grouping, expected) =>
    expect(read(readRunRoot({ id: 'a', grouping })).grouping).toEqual(expected),
  );

  it('refuses an answer without a list', () => expect(readRunRoots({}).ok).toBe(false));
});
