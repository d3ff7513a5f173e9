import { describe, expect, it } from 'vitest';
import { readRunRoot, readRunRoots } from './runRootsReader.ts';

function read<T>(result: { ok: true; value: T } | { ok: false; reason: string }): T {
  if (!result.ok) throw new Error(result.reason);
  return result.value;
}

describe('readRunRoots', () => {
  it('reads what is missing as empty', () => {
    expect(read(readRunRoots({ roots: [{ id: 'a', path: '/x' }, 7, {}] }))).toMatchObject([
      { id: 'a', path: '/x', formats: [], not_understood: [], grouping: { by: 'folder' }, from_flag: false },
    ]);
  });

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
