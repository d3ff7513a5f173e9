import { describe, expect, it } from 'vitest';
import type { RunRoot } from '#features/runs/shared/runs.ts';
import { findGroupingProblem, toFormatsText, toGroupingText, toRootCounts, toRootState } from './rootWords.ts';

const root = { id: 'a', runs: 1, folders: 31, files: 4120, scanned_at: 6000 } as RunRoot;

it('counts what was read, and says when', () => {
  expect(toRootCounts(root, 10_000)).toBe('1 run in 31 folders, 4,120 files, read 4 s ago');
  expect(toRootCounts({ ...root, scanned_at: null }, 0)).not.toMatch(/read/);
});

it('says of every state what follows from it', () => {
  const states = (['scanning', 'watching', 'polling', 'missing'] as const).map((state) => toRootState({ state }));
  expect(new Set(states).size).toBe(4);
});

it('says why a folder is not watched', () => {
  const reason = 'It is on a network mount.';
  expect(toRootState({ state: 'polling', state_reason: reason })).toBe(
    'checked again at intervals. It is on a network mount',
  );
  expect(toRootState({ state: 'watching', state_reason: 'The system tells of changes.' })).not.toMatch(/system/);
});

it('counts runs by format', () => {
  const formats = [
    { format: 'hf', label: 'HF Trainer', runs: 1200 },
    { format: 'axolotl', label: 'Axolotl', runs: 2 },
  ];
  expect(toFormatsText({ formats })).toBe('HF Trainer 1,200 · Axolotl 2');
});

describe('a grouping', () => {
  it.each([
    [{ by: 'folder' } as const, /parent folder/],
    [{ by: 'pattern', pattern: '(lr.+)' } as const, /\(lr\.\+\)/],
    [{ by: 'parameter', parameter: 'seed' } as const, /value of seed/],
  ])('says what %j does', (grouping, text) => {
    expect(toGroupingText(grouping)).toMatch(text);
    expect(findGroupingProblem(grouping)).toBeNull();
  });

  it.each([
    [{ by: 'pattern', pattern: '(' } as const, /not a regular expression/],
    [{ by: 'pattern', pattern: ' ' } as const, /Write a regular expression/],
    [{ by: 'parameter', parameter: '' } as const, /Name a setting/],
  ])('refuses %j', (grouping, text) => expect(findGroupingProblem(grouping)).toMatch(text));
});
