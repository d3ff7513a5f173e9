import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { findMade } from './made.fixture.ts';

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const toKind = (): string => `test-${randomUUID()}`;

async function find(kind: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = await findMade(kind, ['package.json'], make);
  made.push(folder);
  return folder;
}

it('what several need at the same time is made once', async () => {
  const kind = toKind();
  let count = 0;
  const make = async (folder: string): Promise<void> => {
    count += 1;
    await new Promise(setImmediate);
    writeFileSync(join(folder, 'file'), 'made');
  };
  const found = await Promise.all([find(kind, make), find(kind, make), find(kind, make)]);
  expect([new Set(found).size, count]).toEqual([1, 1]);
  expect(existsSync(join(found[0] ?? '', 'file'))).toBe(true);
  expect(existsSync(`${found[0] ?? ''}.lock`)).toBe(false);
});

it('what failed, or was begun by a process that is gone, is made by the next one', async () => {
  const [kind, other] = [toKind(), toKind()];
  await expect(find(kind, () => Promise.reject(new Error('no room')))).rejects.toThrow('no room');
  const folder = await find(kind, async () => undefined);
  const { pid } = spawnSync(process.execPath, ['--version']);
  writeFileSync(`${folder.replace(kind, other)}.lock`, String(pid));
  expect(await find(other, async () => undefined)).toBe(folder.replace(kind, other));
});

it('old folders go, but for one that is in use and those of other kinds', async () => {
  const [kind, other] = [toKind(), toKind()];
  const old = new Date(Date.now() - 7_200_000);
  const folder = await find(kind, async () => undefined);
  const leave = (path: string): string => {
    mkdirSync(path);
    utimesSync(path, old, old);
    made.push(path);
    return path;
  };
  const [stale, foreign] = [leave(folder.replace(/-\w+$/, '-0')), leave(folder.replace(kind, other))];
  utimesSync(folder, old, old);
  await find(kind, () => Promise.reject(new Error('made twice')));
  expect(statSync(folder).mtimeMs).toBeGreaterThan(old.getTime() + 3_600_000);
  rmSync(folder, { recursive: true });
  await find(kind, async () => undefined);
  expect([existsSync(stale), existsSync(foreign)]).toEqual([false, true]);
});
