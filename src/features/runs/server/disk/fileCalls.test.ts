// What is not asked at once on a local disk, because it may hang: links that lead away, and other mounts.
import { expect, it } from 'vitest';
import { fakeRoot, type FakeRoot } from './fakeRoot.fixture.ts';
import { localCalls, openLocalCalls, remoteCalls, type FileCalls } from './fileCalls.ts';
import { atEnd } from '#service/files/keep.fixture.ts';
function make(files: Record<string, string> = {}): FakeRoot {
  const root = fakeRoot(files);
  atEnd(() => root.close());
  return root;
}

/** Calls that note what they are asked. */
function noting(): { readonly calls: FileCalls; readonly asked: string[] } {
  const asked: string[] = [];
  const note = <Value>(name: string, path: string, value: Value): Value => {
    asked.push(`${name} ${path}`);
    return value;
  };
  return {
    asked,
    calls: {
      ...remoteCalls,
      lstat: (path) => note('lstat', path, remoteCalls.lstat(path)),
      stat: (path) => note('stat', path, remoteCalls.stat(path)),
      realpath: (path) => note('realpath', path, remoteCalls.realpath(path)),
      list: (path, maximum) => note('list', path, remoteCalls.list(path, maximum)),
      open: (path) => note('open', path, remoteCalls.open(path)),
    },
  };
}

it('a link that leaves the folder is followed in the background alone, wherever it leads on its way', async () => {
  const [root, outside] = [make({ 'a/file': 'one' }), make({ file: 'two' })];
  root.link('in', 'a/file');
  root.link('around', '../nothing/../a/file');
  root.link('out', outside.at('file'));
  root.link('folder', outside.folder);
  root.link('far', 'folder/file');
  root.link('loop', 'loop');
  const { calls: links, asked } = noting();
  const calls = openLocalCalls({ toFolder: () => root.folder, links });
  expect((await calls.stat(root.at('in')))?.isFile()).toBe(true);
  expect(await calls.realpath(root.at('in'))).toBe(root.at('a/file'));
  expect(asked).toEqual([]);
  await calls.stat(root.at('out'));
  await calls.realpath(root.at('far'));
  expect(asked).toEqual([`stat ${root.at('out')}`, `realpath ${root.at('far')}`]);
  expect(await calls.realpath(root.at('far'))).toBe(outside.at('file'));
  expect(await calls.stat(root.at('loop'))).toBeNull();
  expect(asked).toContain(`stat ${root.at('loop')}`);
});

it('what is on another mount in the folder is asked in the background alone, files that are open too', async () => {
  const root = make({ 'a/file': 'one', 'mount/file': 'two' });
  const { calls: mount, asked } = noting();
  const calls = openLocalCalls({
    toFolder: () => root.folder,
    findMount: (path) => (path.startsWith(root.at('mount')) ? mount : null),
  });
  const read = async (path: string): Promise<string> => {
    const file = await calls.open(path);
    const bytes = new Uint8Array(3);
    await calls.fstat(file);
    await calls.read(file, bytes, 0);
    await calls.close(file);
    return new TextDecoder().decode(bytes);
  };
  expect(await read(root.at('a/file'))).toBe('one');
  expect(asked).toEqual([]);
  expect(await read(root.at('mount/file'))).toBe('two');
  await calls.list(root.at('mount'), 9);
  await calls.lstat(root.at('mount/file'));
  expect(asked.map((line) => line.split(' ')[0])).toEqual(['open', 'list', 'lstat']);
  expect([calls.isFar(root.at('mount/file')), calls.isFar(root.at('a/file')), localCalls.isFar('/')]).toEqual([
    true,
    false,
    false,
  ]);
});
