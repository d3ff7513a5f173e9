import fs from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { Place } from '#service/files/mountCalls.ts';
import { fakeFormat } from './fakeFormat.fixture.ts';
import { fakeRoot, type FakeRoot } from './fakeRoot.fixture.ts';
import { openRemoteCalls } from './fileCalls.ts';
import { openRootReader, type RootReader } from './rootReader.ts';
import { atEnd } from '#service/files/keep.fixture.ts';

function make(): FakeRoot {
  const root = fakeRoot({ 'a/log.txt': 'one' });
  atEnd(() => root.close());
  return root;
}

function open(folder: string): RootReader {
  const place = new Place({ callMs: 50 });
  const reader = openRootReader(folder, { formats: [fakeFormat('log.txt')], calls: openRemoteCalls(place), place });
  atEnd(() => reader.close());
  return reader;
}

const claimOf = (reader: RootReader, id: string) => reader.claims().find((claim) => claim.id === id);
const textOf = (reader: RootReader, id: string) => claimOf(reader, id)?.evidence[0]?.tags[0];

describe('a root whose mount hangs', () => {
  /** Calls of the file system that do not return until `release`. */
  function hangCalls(): { hang(): void; release(): void } {
    let isHanging = false;
    const waiting: (() => void)[] = [];
    for (const name of ['lstat', 'stat', 'realpath', 'opendir'] as const) {
      const real = fs.promises[name] as (...given: unknown[]) => Promise<unknown>;
      const spy = vi.spyOn(fs.promises, name) as unknown as { mockImplementation(to: typeof real): void };
      spy.mockImplementation((...given) =>
        isHanging ? new Promise<void>((done) => waiting.push(done)).then(() => real(...given)) : real(...given),
      );
    }
    atEnd(() => void vi.restoreAllMocks());
    return {
      hang: () => void (isHanging = true),
      release() {
        isHanging = false;
        for (const done of waiting.splice(0)) done();
      },
    };
  }

  it('says so, keeps what was read, closes at once, and is read on when the mount answers', async () => {
    const root = make();
    const mount = hangCalls();
    const reader = open(root.folder);
    await reader.look();
    mount.hang();
    await expect.poll(() => reader.state(), { timeout: 10_000 }).toBe('missing');
    expect(reader.report().stateReason).toMatch(
      /^Its disk or network mount has not answered since \d\d:\d\d:\d\d UTC\. Check the mount, or remove the folder\. What was read/,
    );
    expect(textOf(reader, 'log.txt:a')).toBe('one');
    expect(claimOf(reader, 'log.txt:a')?.problems).toEqual([]);
    await expect(reader.read('a/log.txt')).rejects.toThrow('has not answered since');
    root.append('a/log.txt', ' two');
    mount.release();
    await expect.poll(() => textOf(reader, 'log.txt:a'), { timeout: 10_000 }).toBe('one two');
    expect(reader.state()).toBe('polling');
    mount.hang();
    await expect.poll(() => reader.state(), { timeout: 10_000 }).toBe('missing');
    await reader.close();
  });

  it('is read when it answers for the first time', async () => {
    const root = make();
    const mount = hangCalls();
    mount.hang();
    const reader = open(root.folder);
    await expect.poll(() => reader.report().stateReason).toMatch(/Its runs are shown when it does\.$/);
    mount.release();
    await expect.poll(() => textOf(reader, 'log.txt:a'), { timeout: 10_000 }).toBe('one');
  });
});
