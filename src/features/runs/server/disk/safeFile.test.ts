import fs, { chmodSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Unreadable } from '#features/runs/server/reader.ts';
import { fakeRoot, type FakeRoot } from './fakeRoot.fixture.ts';
import { Place } from '#service/files/mountCalls.ts';
import { isRemote, localCalls, remoteCalls } from './fileCalls.ts';
import { Gone, isInside, readAt, readWhole, safePath, showPath, withFile } from './safeFile.ts';
import { atEnd } from '#service/files/keep.fixture.ts';

const make = (files: Parameters<typeof fakeRoot>[0] = {}): FakeRoot => {
  const root = fakeRoot(files);
  atEnd(() => root.close());
  return root;
};
const NAMES = [
  'lauf ä',
  'прогон',
  '実行',
  'تشغيل',
  '🏃‍♀️',
  'two\nlines',
  'quote\'"`$(x)',
  '-rf',
  'back\\slash',
  ' ',
  '...',
  '%2e%2e',
];

describe.each([
  ['at once', localCalls],
  ['in the background', remoteCalls],
])('opening files, %s', (_name, calls) => {
  const open = (root: FakeRoot) => ({ folder: root.folder, calls });
  const text = async (root: FakeRoot, path: string) =>
    Buffer.from(await withFile(open(root), path, (file) => readWhole(file, path))).toString();

  it('reads files with names in every script', async () => {
    const root = make();
    for (const name of NAMES) root.write(`${name}/${name}`, name);
    for (const name of NAMES) expect(await text(root, `${name}/${name}`)).toBe(name);
  });

  it('follows links that stay inside, also of a folder, and none that leaves', async () => {
    const outside = make({ 'secret.txt': 'secret' });
    const root = make({ 'run/log.txt': 'log' });
    root.link('latest.txt', 'run/log.txt');
    root.link('latest', 'run');
    root.link('out.txt', outside.at('secret.txt'));
    root.link('up', '..');
    root.link('run/inner-up', '../..');
    expect(await text(root, 'latest.txt')).toBe('log');
    expect(await text(root, 'latest/log.txt')).toBe('log');
    const away = `up/${outside.folder.split('/').at(-1)}/secret.txt`;
    for (const path of ['out.txt', away, `run/inner-up/${away.slice(3)}`])
      await expect(text(root, path)).rejects.toThrow('leads out of the folder');
  });

  it('takes no path that is not below the root', async () => {
    const root = make({ 'a.txt': 'a' });
    for (const path of ['../a', 'x/../../a', '/etc/passwd', './a.txt', 'a.txt\0'])
      await expect(text(root, path)).rejects.toThrow('not a path below');
    await expect(safePath(open(root), '')).resolves.toBe(root.folder);
  });

  it('ends at loops of links, and says that they are not there', async () => {
    const root = make();
    root.link('a', 'b');
    root.link('b', 'a');
    root.link('dangling', 'nothing');
    for (const path of ['a', 'dangling', 'none', 'none/deeper']) await expect(text(root, path)).rejects.toThrow(Gone);
  });

  it('never waits for a pipe, and opens no socket, folder or device', async () => {
    const root = make();
    root.makePipe('pipe');
    const server = createServer().listen(root.at('socket'));
    root.makeFolder('folder');
    try {
      for (const path of ['pipe', 'socket', 'folder']) await expect(text(root, path)).rejects.toThrow('is not a file');
    } finally {
      server.close();
    }
  });

  it('does not read what took the place of a file while it was opened', async () => {
    const outside = make({ 'log.txt': 'secret' });
    const root = make({ 'run/log.txt': 'log' });
    let isSwapped = false;
    const swapping = {
      ...calls,
      open(path: string) {
        if (!isSwapped) {
          root.remove('run');
          symlinkSync(outside.folder, root.at('run'));
          isSwapped = true;
        }
        return calls.open(path);
      },
    };
    const reading = withFile({ folder: root.folder, calls: swapping }, 'run/log.txt', (file) => readAt(file, 0, 100));
    await expect(reading).rejects.toThrow('leads out of the folder');
    expect(isSwapped).toBe(true);
  });

  it('bounds what it reads whole', async () => {
    const root = make({ 'small.json': '{}', 'huge.json': '' });
    root.resize('huge.json', 5 * 2 ** 30);
    expect(await text(root, 'small.json')).toBe('{}');
    await expect(text(root, 'huge.json')).rejects.toThrow('huge.json has 5,120 MiB; at most 64 MiB are read.');
  });

  it('notices a file that vanishes between the listing and the opening', async () => {
    const root = make({ 'checkpoint-5/trainer_state.json': '{}' });
    const late = {
      ...calls,
      open(path: string) {
        rmSync(path);
        return calls.open(path);
      },
    };
    const reading = withFile({ folder: root.folder, calls: late }, 'checkpoint-5/trainer_state.json', () => 0);
    await expect(reading).rejects.toThrow(Gone);
  });

  // The superuser may read everything.
  it.runIf(process.getuid?.() !== 0)('says that it has no right to read', async () => {
    const root = make({ 'secret.json': '{}' });
    chmodSync(root.at('secret.json'), 0);
    await expect(text(root, 'secret.json')).rejects.toThrow(Unreadable);
  });

  it('says in words why the system refuses', async () => {
    const root = make({ 'a.json': '{}' });
    const refusing = (code: string) => ({
      ...calls,
      open: () => Promise.reject(Object.assign(new Error(code), { code, syscall: 'open' })),
    });
    const reading = (code: string) => withFile({ folder: root.folder, calls: refusing(code) }, 'a.json', () => 0);
    await expect(reading('EACCES')).rejects.toThrow("a.json can't be read: permission denied. Give the studio");
    await expect(reading('EMFILE')).rejects.toThrow('too many files are open');
    await expect(reading('EWHAT')).rejects.toThrow("a.json can't be read: EWHAT.");
    await expect(reading('ENOENT')).rejects.toThrow(Gone);
  });
});

it('knows what is inside a folder', () => {
  expect(['/a', '/a/b', '/ab', '/', '/a/../b'].map((path) => isInside('/a', path))).toEqual([
    true,
    true,
    false,
    false,
    true,
  ]);
  expect(isInside('/', '/etc')).toBe(true);
  expect([isInside('C:\\runs', 'C:\\runs\\a'), isInside('C:\\runs', 'C:\\runs2')]).toEqual([true, false]);
});

it('shows paths without line breaks and reversed text', () => {
  expect(showPath('a\nb\u202ec/é')).toBe('a\ufffdb\ufffdc/é');
  expect(showPath('')).toBe('the folder itself');
});

it('takes a folder that is not there for as remote as its parent', async () => {
  const root = make();
  expect(await isRemote(root.at('nothing/at/all'))).toBe(await isRemote(root.folder));
});

it('takes a file system that does not answer for remote', async () => {
  onTestFinished(() => void vi.restoreAllMocks());
  vi.spyOn(fs.promises, 'statfs').mockReturnValue(new Promise(() => undefined));
  expect(await isRemote('/mnt/hangs', new Place({ callMs: 10 }))).toBe(true);
});
