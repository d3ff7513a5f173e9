import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeRoot, type FakeRoot } from './fakeRoot.fixture.ts';
import { localCalls } from './fileCalls.ts';
import { FolderNode } from './folderTree.ts';
import { FolderWatches } from './folderWatches.ts';

let root: FakeRoot;
let watches: FolderWatches | null = null;
beforeEach(() => {
  root = fakeRoot({ 'a/log.txt': '', 'b/log.txt': '' });
});
afterEach(() => {
  watches?.close();
  root.close();
});

const open = (onHint: (folder: FolderNode, name: string | null) => void, maximum?: number): FolderWatches =>
  (watches = new FolderWatches({ folder: root.folder, calls: localCalls }, onHint, maximum));

it('tells in which folder a file changed', async () => {
  const hints: string[] = [];
  const some = open((folder, name) => hints.push(`${folder.path} ${name ?? ''}`));
  some.add(new FolderNode('a', null, 0));
  root.append('a/log.txt', 'x');
  root.append('b/log.txt', 'x');
  await vi.waitFor(() => expect(hints).toContain('a log.txt'));
  expect(hints.some((hint) => hint.startsWith('b'))).toBe(false);
  expect(some.problem).toBe(null);
});

it('says so when there are too many folders, and passes over a folder that is gone', () => {
  const some = open(() => {}, 1);
  some.add(new FolderNode('gone', null, 0));
  expect(some.problem).toBe(null);
  some.add(new FolderNode('a', null, 0));
  some.add(new FolderNode('b', null, 0));
  expect(some.problem).toBe('There are more than 1 folders: the others are looked at in turns.');
});
