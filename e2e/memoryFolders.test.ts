import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { removeLeft } from './memoryFolders.ts';

it('folders that killed runs of tests left go after a day, and nothing else does', () => {
  const folder = mkdtempSync(join(tmpdir(), 'model-studio-test-'));
  const names = ['model-studio-postgres-aB3dE6', 'model-studio-data-aB3dE6', 'model-studio-test-mine', 'other'];
  for (const name of names) mkdirSync(join(folder, name, 'base'), { recursive: true });
  removeLeft(folder, Date.now());
  expect(readdirSync(folder)).toHaveLength(4);
  removeLeft(folder, Date.now() + 25 * 3_600_000);
  expect(readdirSync(folder).toSorted()).toEqual(names.slice(1).toSorted());
  rmSync(folder, { recursive: true });
});
