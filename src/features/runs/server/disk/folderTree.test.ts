import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TimeSlicer } from './timeSlicer.ts';
import { fakeRoot, type FakeRoot } from './fakeRoot.fixture.ts';
import { localCalls, remoteCalls, type FileCalls } from './fileCalls.ts';
import { FolderTree, TREE_BOUNDS } from './folderTree.ts';

const NOW = Date.now();
const DAY = 86_400_000;

let root: FakeRoot;
beforeEach(() => {
  root = fakeRoot();
});
afterEach(() => root.close());

const treeOf = (calls: FileCalls = localCalls, bounds = TREE_BOUNDS): FolderTree => {
  const tree = new FolderTree({ folder: root.folder, calls }, () => NOW, new TimeSlicer(), bounds);
  tree.queue(tree.top);
  return tree;
};

/** Lists all, and gives the paths in the order of the listing. */
async function listAll(tree: FolderTree, isThere = true): Promise<string[]> {
  const order: string[] = [];
  for (;;) {
    const listed = await tree.listNext(() => Promise.resolve(isThere));
    if (!listed) return order;
    order.push(listed.folder.path);
  }
}

const filesOf = (tree: FolderTree): string[] =>
  tree.top
    .walk()
    .flatMap(({ path, files }) => [...files.keys()].map((name) => (path === '' ? name : `${path}/${name}`)));

const skippedOf = (tree: FolderTree) => tree.top.walk().flatMap(({ skipped }) => skipped);

describe('listing', () => {
  it('takes a shallow folder and a deep one in turn, the newest first', async () => {
    for (const [path, age] of Object.entries({ 'old/a': 3, new: 1, 'middle/b': 2 }))
      root.makeFolder(path, NOW - age * DAY);
    for (const [path, age] of Object.entries({ old: 3, middle: 2 })) root.touch(path, NOW - age * DAY);
    expect(await listAll(treeOf())).toEqual(['', 'new', 'middle', 'middle/b', 'old', 'old/a']);
  });

  it.each([localCalls, remoteCalls])('sees what a view of the folders sees', async (calls) => {
    for (const name of ['lauf ä', '実行', 'تشغيل', 'two\nlines', '-rf', 'back\\slash', ' ', '...', '__proto__'])
      root.write(`${name}/${name}`, name, NOW - DAY);
    const tree = treeOf(calls);
    await listAll(tree);
    const expected = root.view();
    expect([...tree.top.folders.keys()].sort()).toEqual([...expected.folders.keys()].sort());
    for (const [name, { files }] of expected.folders) expect(tree.top.folders.get(name)?.files).toEqual(files);
    expect(tree.find('two\nlines')?.files.size).toBe(1);
  });

  it('ends at loops, stays inside, and never lists a folder twice', async () => {
    const outside = fakeRoot({ 'run/log.txt': 'secret' });
    try {
      root.write('run/log.txt', 'log');
      root.link('run/self', '.');
      root.link('run/up', '..');
      root.link('latest-run', 'run');
      root.link('latest.txt', 'run/log.txt');
      root.link('out', outside.folder);
      root.link('out.txt', outside.at('run/log.txt'));
      root.link('dangling', 'nothing');
      root.link('loop', 'loop');
      const tree = treeOf();
      expect(await listAll(tree)).toEqual(['', 'run']);
      expect(filesOf(tree).sort()).toEqual(['latest.txt', 'run/log.txt']);
      expect(
        skippedOf(tree)
          .map(({ path }) => path)
          .sort(),
      ).toEqual(['out', 'out.txt']);
      expect(skippedOf(tree)[0]?.reason).toContain('leads out of the folder');
    } finally {
      outside.close();
    }
  });

  it('leaves out pipes and sockets', async () => {
    root.makePipe('pipe');
    const server = createServer().listen(root.at('socket'));
    root.link('pipe-link', 'pipe');
    root.write('log.txt', '');
    const tree = treeOf();
    await listAll(tree);
    server.close();
    expect(filesOf(tree)).toEqual(['log.txt']);
  });

  it('stops at its bounds, and says so', async () => {
    for (let index = 0; index < 30; index += 1) root.write(`many/f${index}`, '');
    root.write('node_modules/x/y.txt', '');
    const tree = treeOf(localCalls, { entries: 20, depth: 2 });
    await listAll(tree);
    expect(tree.entries).toBe(20);
    const reasons = new Map(skippedOf(tree).map(({ path, reason }) => [path, reason]));
    expect(reasons.get('many')).toContain('at 20 files and folders at most');
    expect(reasons.get('node_modules')).toContain('packages of Node');
    // What is deleted makes room.
    root.remove('many');
    root.write('a/b/c/d/log.txt', '');
    tree.queue(tree.top);
    await listAll(tree);
    expect(tree.entries).toBe(2);
    expect(skippedOf(tree).find(({ path }) => path === 'a/b/c')?.reason).toContain('Only 2 levels');
  });

  it('lets other work go first while it lists many files', async () => {
    for (let index = 0; index < 300; index += 1) root.write(`f${index}`, '');
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    // A slow disk, so that the listing takes longer than a slice.
    const slow: FileCalls = {
      ...localCalls,
      lstat(path) {
        const until = performance.now() + 0.2;
        while (performance.now() < until);
        return localCalls.lstat(path);
      },
    };
    const tree = treeOf(slow);
    await listAll(tree);
    clearInterval(timer);
    expect(tree.top.files.size).toBe(300);
    expect(turns).toBeGreaterThan(2);
  });

  it('says why a folder is not listed, and keeps what it knew of it', async () => {
    root.write('run/log.txt', '');
    let code = '';
    const failing: FileCalls = {
      ...localCalls,
      list(path, maximum) {
        if (code !== '' && path.endsWith('run')) throw Object.assign(new Error(code), { code, syscall: 'scandir' });
        return localCalls.list(path, maximum);
      },
    };
    const tree = treeOf(failing);
    await listAll(tree);
    code = 'EACCES';
    tree.queue(tree.find('run')!);
    await listAll(tree);
    expect(tree.find('run')?.problem).toBe(
      "run can't be read: permission denied. Give the studio the right to read it.",
    );
    expect(filesOf(tree)).toEqual(['run/log.txt']);
    code = '';
    // A folder with a problem is tried again though its time stayed, once it has rested after a slow listing.
    const readAgain = async (): Promise<string | null | undefined> => {
      await tree.check(tree.find('run')!);
      await listAll(tree);
      return tree.find('run')?.problem;
    };
    await expect.poll(readAgain).toBe(null);
  });
});

describe('listing again', () => {
  it('happens only where a listing changed', async () => {
    root.makeFolder('same', NOW - DAY);
    root.makeFolder('other', NOW - DAY);
    const tree = treeOf();
    await listAll(tree);
    root.write('other/new.txt', '');
    for (const node of tree.top.walk().slice(1)) expect(await tree.check(node)).toBe(true);
    expect(await listAll(tree)).toEqual(['other']);
    expect(filesOf(tree)).toEqual(['other/new.txt']);
  });

  it('looks twice at a folder that had just changed: the next change may have the same time', async () => {
    root.makeFolder('run', NOW);
    const tree = treeOf();
    await listAll(tree);
    root.write('run/late.txt', '');
    root.touch('run', NOW);
    await tree.check(tree.find('run')!);
    await listAll(tree);
    expect(filesOf(tree)).toEqual(['run/late.txt']);
  });

  it('does not list a folder from the future over and over', async () => {
    root.makeFolder('run', NOW + 1000 * DAY);
    const tree = treeOf();
    await listAll(tree);
    await tree.check(tree.find('run')!);
    expect(await listAll(tree)).toEqual([]);
  });

  it('drops nothing while the root itself is away', async () => {
    root.write('run/log.txt', '');
    const tree = treeOf();
    await listAll(tree);
    root.remove('run');
    tree.queue(tree.top);
    await listAll(tree, false);
    expect(filesOf(tree)).toEqual(['run/log.txt']);
    tree.queue(tree.top);
    await listAll(tree, true);
    expect(filesOf(tree)).toEqual([]);
  });

  it('notices that a folder became a file, or another folder', async () => {
    root.write('run/log.txt', '');
    const tree = treeOf();
    await listAll(tree);
    const run = tree.find('run')!;
    root.rename('run', 'moved');
    expect(await tree.check(run)).toBe(false);
    root.write('run', 'a file now');
    expect(await tree.check(run)).toBe(false);
    tree.queue(tree.top);
    await listAll(tree);
    expect(run.isRemoved).toBe(true);
    expect(filesOf(tree).sort()).toEqual(['moved/log.txt', 'run']);
  });
});
