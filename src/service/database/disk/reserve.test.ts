import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { MIB } from './freeDisk.ts';
import { giveUpReserve, openReserve, readReserve } from './reserve.ts';
import { keepFolders } from '#service/database/keepDatabase.fixture.ts';

const folders = await keepFolders();

it('is kept while there is room, given up on a full disk, and kept again once there is room again', async () => {
  const folder = await folders.empty();
  const file = join(folder, 'reserve');
  writeFileSync(file, 'Half of one.');
  const disk = { free: 90 * MIB };
  const warnings: string[] = [];
  const reserve = openReserve(folder, {
    onWarning: (text) => warnings.push(text),
    readFree: () => disk.free,
    times: { firstMs: 1, lookMs: 1 },
  });
  expect(reserve.look()).toBe(90 * MIB);
  expect(readReserve(folder)).toBeLessThan(100);

  disk.free = 96 * MIB;
  await vi.waitFor(() => expect(readReserve(folder)).toBe(32 * MIB));
  // Blocks of the disk, not a hole in a file.
  expect(statSync(file).blocks * 512).toBeGreaterThanOrEqual(32 * MIB);
  expect(warnings).toEqual([]);

  disk.free = 31 * MIB;
  await vi.waitFor(() => expect(existsSync(file)).toBe(false));
  expect(warnings).toEqual([
    `The disk of ${folder} is full: 31 MiB are free. Free 96 MiB there. Until then no file is imported.`,
  ]);
  reserve.look();
  expect(warnings).toHaveLength(1);

  disk.free = 200 * MIB;
  await vi.waitFor(() => expect(readReserve(folder)).toBe(32 * MIB));
  expect(warnings.slice(1)).toEqual([`The disk of ${folder} has room again.`]);
  reserve.close();
  expect(existsSync(`${file}.part`)).toBe(false);
});

it('of an earlier start is given up by the next one, if the disk is full', async () => {
  const folder = await folders.empty();
  writeFileSync(join(folder, 'reserve'), Buffer.alloc(MIB));
  expect([giveUpReserve(folder, () => 100 * MIB), readReserve(folder)]).toEqual([100 * MIB, MIB]);
  expect([giveUpReserve(folder, () => 0), readReserve(folder)]).toEqual([0, 0]);
});
