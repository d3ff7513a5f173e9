import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TimeSlicer } from './timeSlicer.ts';
import type { Wanted } from './rootClaims.ts';
import { fakeRoot, type FakeRoot } from './fakeRoot.fixture.ts';
import { localCalls } from './fileCalls.ts';
import { FolderTree } from './folderTree.ts';
import { LookSchedule } from './lookSchedule.ts';
import { WatchedFile } from './watchedFile.ts';

const HOUR = 3_600_000;

let root: FakeRoot;
beforeEach(() => {
  root = fakeRoot();
});
afterEach(() => root.close());

async function lookAt(files: Readonly<Record<string, number>>, areAllWatched = false, slowness = 0) {
  let now = Date.now();
  for (const [path, time] of Object.entries(files)) root.write(path, 'x', now + time);
  const stats = { files: [] as string[] };
  const calls = {
    ...localCalls,
    stat(path: string) {
      stats.files.push(path.slice(root.folder.length + 1));
      const until = performance.now() + slowness;
      while (performance.now() < until);
      return localCalls.stat(path);
    },
  };
  const tree = new FolderTree({ folder: root.folder, calls }, () => now, new TimeSlicer());
  const wanted: Wanted[] = Object.keys(files).map((path) => ({
    watched: new WatchedFile(path, false),
    claims: new Set(),
  }));
  for (const { watched } of wanted) await watched.look(tree.root);
  stats.files.length = 0;
  const changed: string[] = [];
  const schedule = new LookSchedule(tree, () => wanted, {
    onFile: ({ watched }) => changed.push(watched.path),
    onGone: (folder) => changed.push(`gone ${folder.path}`),
    areAllWatched: () => areAllWatched,
  });
  const look = async (): Promise<string[]> => {
    stats.files.length = 0;
    now += 1000;
    await schedule.look();
    return stats.files;
  };
  return { look, changed, schedule, pass: (time: number) => (now += time) };
}

describe('looking', () => {
  it('looks at live files each time, and at the others in turns', async () => {
    const old = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`old-${index}`, -HOUR * 50]));
    const { look } = await lookAt({ live: -1000, future: HOUR * 24 * 1000, ...old });
    const seen = new Map<string, number>();
    for (let turn = 0; turn < 32; turn += 1) for (const path of await look()) seen.set(path, (seen.get(path) ?? 0) + 1);
    expect(seen.get('live')).toBe(32);
    // A time of the future alone does not make a file live.
    expect(seen.get('future')).toBeLessThan(4);
    for (const path of Object.keys(old)) expect([1, 2]).toContain(seen.get(path));
  });

  it('finds what was appended, and then follows it', async () => {
    const { look, changed, pass } = await lookAt({ live: -1000, old: -HOUR * 50 });
    await look();
    root.append('live', 'more');
    await look();
    expect(changed).toEqual(['live']);
    root.append('old', 'more', Date.now() - HOUR * 49);
    for (let turn = 0; turn < 31; turn += 1) await look();
    expect(changed).toEqual(['live', 'old']);
    expect(await look()).toEqual(expect.arrayContaining(['live', 'old']));
    // An hour without a change later, nobody looks at each second.
    pass(HOUR * 2);
    await look();
    const turns = [await look(), await look(), await look()];
    expect(turns.every((paths) => paths.includes('live'))).toBe(false);
  });

  it('looks seldom at the others where all folders are watched', async () => {
    const old = Object.fromEntries(Array.from({ length: 240 }, (_, index) => [`old-${index}`, -HOUR * 50]));
    const { look } = await lookAt(old, true);
    expect((await look()).length).toBeLessThan(8);
    const { look: lookPolled } = await lookAt(old, false);
    expect((await lookPolled()).length).toBeGreaterThan(0);
  });

  it('looks again a second later at the earliest', async () => {
    const { look, schedule } = await lookAt({ live: -1000 });
    const begin = performance.now();
    await look();
    expect(schedule.dueAt - begin).toBeGreaterThanOrEqual(1000);
  });

  it('looks less often if looking takes long, but not seldom', async () => {
    const live = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`live-${index}`, -1000]));
    const { look, schedule } = await lookAt(live, false, 4);
    await look();
    // 40 ms are 1 % of four seconds.
    const wait = schedule.dueAt - performance.now();
    expect(wait).toBeGreaterThan(3000);
    expect(wait).toBeLessThanOrEqual(10_000);
  });
});
