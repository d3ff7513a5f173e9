import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { prepareDataFolder } from './dataFolder.ts';
import { StartError } from './startError.ts';
import { keepFolder } from '#service/files/keep.fixture.ts';

const root = keepFolder();

it('makes the folder for its owner only', async () => {
  const folder = await prepareDataFolder(join(root, 'a', 'b'));
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect(await prepareDataFolder(folder)).toBe(folder);
});

it('refuses a file in its place, and leaves it alone', async () => {
  const path = join(root, 'file');
  await writeFile(path, 'mine');
  await expect(prepareDataFolder(path)).rejects.toThrow(StartError);
  await expect(prepareDataFolder(path)).rejects.toThrow(/is a file, not a folder\..*--data/);
  await expect(prepareDataFolder(join(path, 'below'))).rejects.toThrow(/can't be written.*--data/);
  expect((await stat(path)).size).toBe(4);
});

it.runIf(process.platform === 'linux')('refuses a folder that can not be written, also for root', async () => {
  await expect(prepareDataFolder('/proc/model-studio')).rejects.toThrow(/can't be written/);
});
