import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { lockFolder, removeStale } from './folderLock.ts';
import { findProcess, readOwnIdentity } from './processIdentity.ts';
import { StartError } from './startError.ts';
import { keepFolder } from '#service/files/keep.fixture.ts';

const OPTIONS = { times: { heartbeatMs: 20, watchMs: 120, giveUpMs: 10_000 } };
/** Above every pid that Linux gives (4,194,304). */
const NO_PID = 4_194_999;

let folder = '';
beforeEach(async () => {
  folder = keepFolder();
});

const lockPath = () => join(folder, 'lock');
const leaveLock = (record: unknown) =>
  writeFile(lockPath(), typeof record === 'string' ? record : JSON.stringify(record));

it('is held by one at a time and can be taken again', async () => {
  const release = await lockFolder(folder, OPTIONS);
  await expect(lockFolder(folder, OPTIONS)).rejects.toThrow(StartError);
  await expect(lockFolder(folder, OPTIONS)).rejects.toThrow(
    `process ${process.pid}). Stop that one, or choose another folder with --data.`,
  );
  await release();
  expect(await readdir(folder)).toEqual([]);
  await (
    await lockFolder(folder, OPTIONS)
  )();
});

describe('a lock that its holder left behind', () => {
  it.each([
    ['a process that is gone', () => ({ ...readOwnIdentity(), pid: NO_PID })],
    ['an earlier process with the same pid', () => ({ ...readOwnIdentity(), started: '1' })],
    ['a half written file', () => '{"pid":'],
    ['an empty file', () => ''],
    ['something else', () => '[1,2]'],
    ['a pid that is none', () => ({ ...readOwnIdentity(), pid: -1 })],
  ])('of %s is taken over', async (_, record) => {
    await leaveLock(record());
    const release = await lockFolder(folder, OPTIONS);
    expect(JSON.parse(await readFile(lockPath(), 'utf8'))).toMatchObject({ pid: process.pid });
    await release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('goes to exactly one of many who want it', async () => {
    await leaveLock({ ...readOwnIdentity(), pid: NO_PID });
    const tries = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(folder, OPTIONS)));
    const winners = tries.filter((entry) => entry.status === 'fulfilled');
    expect(winners).toHaveLength(1);
    expect(await readdir(folder)).toEqual(['lock']);
    await winners[0]?.value();
  });
});

describe('a lock that can not be judged is said, and left as it is', () => {
  it('one that is a folder', async () => {
    await mkdir(lockPath());
    await expect(lockFolder(folder, OPTIONS)).rejects.toThrow(
      /lock can't be read \(EISDIR.*delete the lock, or choose another folder/,
    );
    expect(await readdir(folder)).toEqual(['lock']);
  });

  it('one that comes back as often as it is removed', async () => {
    await leaveLock({ ...readOwnIdentity(), pid: NO_PID });
    await writeFile(`${lockPath()}.removal`, '');
    const times = { heartbeatMs: 20, watchMs: 120, giveUpMs: 100 };
    await expect(lockFolder(folder, { times })).rejects.toThrow(/could not be taken in 1 s.*lock\.removal/);
  });
});

it('is not taken away by somebody who judged the one before it', async () => {
  const release = await lockFolder(folder, OPTIONS);
  const own = await readFile(lockPath(), 'utf8');
  await removeStale(lockPath(), 'the text of an older lock');
  expect(await readFile(lockPath(), 'utf8')).toBe(own);
  expect(await readdir(folder)).toEqual(['lock']);
  await release();
});

it('is taken over though a process died while it removed an older one', async () => {
  await leaveLock({ ...readOwnIdentity(), pid: NO_PID });
  const mark = `${lockPath()}.removal`;
  await writeFile(mark, '');
  const old = new Date(Date.now() - 60_000);
  await utimes(mark, old, old);
  const release = await lockFolder(folder, OPTIONS);
  expect(await readdir(folder)).toEqual(['lock']);
  await release();
});

describe('a holder that can not be looked up (another container, the same folder)', () => {
  const elsewhere = () => ({ ...readOwnIdentity(), space: 'another machine' });

  it('keeps its lock while it touches it', async () => {
    await leaveLock(elsewhere());
    const touching = setInterval(() => {
      const now = new Date();
      void utimes(lockPath(), now, now);
    }, OPTIONS.times.heartbeatMs);
    await expect(lockFolder(folder, OPTIONS)).rejects.toThrow(/is in use by another Model Studio/);
    clearInterval(touching);
  });

  it('loses it when it does not; that it is looked at for long is said', async () => {
    await leaveLock(elsewhere());
    const warnings: string[] = [];
    await (
      await lockFolder(folder, { ...OPTIONS, onWarning: (text) => warnings.push(text) })
    )();
    expect(warnings).toEqual([expect.stringMatching(/another container or on another machine/)]);
  });

  it('keeps it when it touches it rarely: one touch within the time is enough', async () => {
    await leaveLock(elsewhere());
    const times = { heartbeatMs: 10, watchMs: 20_000, giveUpMs: 60_000 };
    const refused = expect(lockFolder(folder, { times, onWarning: () => void touch() })).rejects.toThrow(/is in use/);
    const touch = (): void => {
      const later = new Date(Date.now() + 5_000);
      setTimeout(() => void utimes(lockPath(), later, later), 100);
    };
    await refused;
  });

  it('is seen touching it by others', async () => {
    const release = await lockFolder(folder, OPTIONS);
    const own: unknown = JSON.parse(await readFile(lockPath(), 'utf8'));
    await leaveLock({ ...(own as object), space: 'another machine' });
    await expect(lockFolder(folder, OPTIONS)).rejects.toThrow(/is in use/);
    await release();
  });
});

it('releases only its own lock', async () => {
  const release = await lockFolder(folder, OPTIONS);
  await leaveLock({ pid: 1, started: null, space: 'somebody else' });
  await release();
  expect(await readdir(folder)).toEqual(['lock']);
});

it('knows a running process from one that is gone', () => {
  const own = readOwnIdentity();
  expect(findProcess(own)).toBe('running');
  expect(findProcess({ ...own, pid: NO_PID })).toBe('gone');
  expect(findProcess({ ...own, space: 'elsewhere' })).toBe('unknown');
});
