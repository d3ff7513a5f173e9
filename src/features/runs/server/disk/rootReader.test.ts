import { describe, expect, it, vi } from 'vitest';
import type { FormatReader } from '#features/runs/server/reader.ts';
import { makeLogDatabase } from './database.fixture.ts';
import { fakeFormat } from './fakeFormat.fixture.ts';
import { fakeRoot, type FakeContent, type FakeRoot } from './fakeRoot.fixture.ts';
import { localCalls, remoteCalls } from './fileCalls.ts';
import { openRootReader, type RootReader, type RootReaderOptions } from './rootReader.ts';
import { atEnd } from '#service/files/keep.fixture.ts';

const YESTERDAY = Date.now() - 86_400_000;

function make(files: Record<string, FakeContent> = {}): FakeRoot {
  const root = fakeRoot(files);
  atEnd(() => root.close());
  return root;
}

async function open(
  folder: string,
  formats: readonly FormatReader[],
  options: Partial<RootReaderOptions> = {},
): Promise<RootReader> {
  const reader = openRootReader(folder, { formats, ...options });
  atEnd(() => reader.close());
  return reader;
}

/** A clock that calls can move on, as a slow disk would, without a processor that waits. */
function movableClock(): (ms: number) => void {
  const real = performance.now.bind(performance);
  let ahead = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => real() + ahead);
  atEnd(() => clock.mockRestore());
  return (ms) => void (ahead += ms);
}

const claimOf = (reader: RootReader, id: string) => reader.claims().find((claim) => claim.id === id);
const textOf = (reader: RootReader, id: string) => claimOf(reader, id)?.evidence[0]?.tags[0];

describe.each([
  ['a local disk', localCalls],
  ['a network mount', remoteCalls],
])('on %s', (_name, calls) => {
  it('finds the runs of a root, the newest first, and what is appended to them', async () => {
    const root = make();
    root.write('old/log.txt', 'old', YESTERDAY);
    root.write('deep/er/new/log.txt', 'one\n');
    const reader = await open(root.folder, [fakeFormat('log.txt')], { calls });
    await reader.look();
    expect(reader.claims().map(({ key, isRead }) => [key, isRead])).toEqual([
      ['deep/er/new', true],
      ['old', true],
    ]);
    expect(textOf(reader, 'log.txt:deep/er/new')).toBe('one\n');
    root.append('old/log.txt', 'er');
    await reader.look();
    expect(textOf(reader, 'log.txt:old')).toBe('older');
    // What did not change is the same object.
    const before = claimOf(reader, 'log.txt:old');
    await reader.look();
    expect(claimOf(reader, 'log.txt:old')).toBe(before);
  });

  it('sees runs that come, go and are renamed', async () => {
    const root = make({ 'a/log.txt': 'a', 'b/log.txt': 'b' });
    let changes = 0;
    const reader = await open(root.folder, [fakeFormat('log.txt')], { calls, onChange: () => (changes += 1) });
    await reader.look();
    changes = 0;
    root.rename('a', 'c');
    root.remove('b');
    root.write('d/inner/log.txt', 'd');
    await reader.look();
    expect(
      reader
        .claims()
        .map(({ key }) => key)
        .sort(),
    ).toEqual(['c', 'd/inner']);
    expect(changes).toBeGreaterThan(0);
    expect(reader.report()).toMatchObject({ folders: 3, files: 2 });
  });

  it('keeps what it knows while the root is away, says so, and reads on when it is back', async () => {
    const disk = make({ 'root/run/log.txt': 'one\n' });
    const format = fakeFormat('log.txt');
    const reader = await open(disk.at('root'), [format], { calls });
    await reader.look();
    disk.rename('root', 'elsewhere');
    await reader.look();
    expect(reader.report()).toMatchObject({ state: 'missing', files: 1 });
    expect(textOf(reader, 'log.txt:run')).toBe('one\n');
    // An unmounted disk leaves an empty folder.
    disk.makeFolder('root');
    await reader.look();
    expect(reader.report().state).toBe('missing');
    expect(reader.report().stateReason).toContain('not mounted');
    disk.remove('root');
    disk.append('elsewhere/run/log.txt', 'two\n');
    disk.rename('elsewhere', 'root');
    await reader.look();
    expect(reader.report().state).not.toBe('missing');
    expect(textOf(reader, 'log.txt:run')).toBe('one\ntwo\n');
    expect(format.openings).toBe(1);
    expect(format.given.join()).not.toContain('gone');
  });

  it('waits for a root that is not there yet, also behind a link', async () => {
    const disk = make({ 'real/run/log.txt': 'here' });
    const reader = await open(disk.at('root'), [fakeFormat('log.txt')], { calls });
    await reader.look();
    expect(reader.report()).toMatchObject({ state: 'missing', files: 0 });
    disk.link('root', 'real');
    await reader.look();
    expect(textOf(reader, 'log.txt:run')).toBe('here');
    expect(reader.folder).toBe(disk.at('real'));
  });
});

describe('reading', () => {
  it('gives the files of a claim in its order, and says when one is gone', async () => {
    const root = make({ 'run/b.txt': 'b', 'run/a.txt': 'a' });
    const base = fakeFormat('b.txt');
    const format: FormatReader = {
      ...base,
      recognise: (folder) =>
        folder.path === 'run'
          ? [
              {
                key: 'run',
                files: [...folder.files.keys()]
                  .sort()
                  .reverse()
                  .map((name) => ({ path: `run/${name}`, read: { mode: 'tail' } })),
              },
            ]
          : [],
    };
    const reader = await open(root.folder, [format]);
    await reader.look();
    root.write('run/c.txt', 'c');
    root.remove('run/a.txt');
    await reader.look();
    expect(base.given).toEqual([
      'tail run/b.txt start 1',
      'tail run/a.txt start 1',
      'gone run/a.txt',
      'tail run/c.txt start 1',
    ]);
    // A new file in the same claim does not open it again.
    expect(base.openings).toBe(1);
  });

  it('keeps the old value of a file that is caught while it is written, and tries again', async () => {
    const root = make({ 'run/state.json': { step: 1 } });
    const reader = await open(root.folder, [fakeFormat('state.json', { read: { mode: 'whole' } })]);
    await reader.look();
    const good = textOf(reader, 'state.json:run');
    root.write('run/state.json', '{"step": 2, "log');
    await reader.look();
    expect(textOf(reader, 'state.json:run')).toBe(good);
    expect(claimOf(reader, 'state.json:run')?.problems).toEqual(['run/state.json is no JSON yet.']);
    root.write('run/state.json', '{"step": 2}');
    await reader.look();
    expect(textOf(reader, 'state.json:run')).toBe('{"step": 2}');
    expect(claimOf(reader, 'state.json:run')?.problems).toEqual([]);
  });

  it('reads a database with its log, and again when only the log grew', async () => {
    const { main, logs } = await makeLogDatabase(
      'create table metrics (step integer); insert into metrics values (1)',
      'insert into metrics values (2)',
      'insert into metrics values (3)',
    );
    const root = make({ 'p.db': main, 'p.db-wal': logs[0]! });
    const reader = await open(root.folder, [fakeFormat('p.db', { read: { mode: 'database' } })]);
    await reader.look();
    expect(textOf(reader, 'p.db:')).toBe('[{"step":1},{"step":2}]');
    root.write('p.db-wal', logs[1]!);
    await reader.look();
    expect(textOf(reader, 'p.db:')).toBe('[{"step":1},{"step":2},{"step":3}]');
  });

  it('reads a log that is cut, replaced and gone', async () => {
    const root = make({ 'log.txt': 'first run\n' });
    const format = fakeFormat('log.txt');
    const reader = await open(root.folder, [format]);
    await reader.look();
    root.resize('log.txt', 5);
    await reader.look();
    expect(textOf(reader, 'log.txt:')).toBe('first');
    root.write('new', 'another run\n');
    root.rename('new', 'log.txt');
    await reader.look();
    expect(textOf(reader, 'log.txt:')).toBe('another run\n');
    root.remove('log.txt');
    await reader.look();
    expect(reader.claims()).toEqual([]);
  });

  it('reads the heads and sizes of weights, never more', async () => {
    const root = make({ 'w.safetensors': '' });
    root.resize('w.safetensors', 5 * 2 ** 30);
    const head = fakeFormat('w.safetensors', { read: { mode: 'head', bytes: 8 }, format: 'head' });
    const stat = fakeFormat('w.safetensors', { read: { mode: 'stat' }, format: 'stat' });
    const reader = await open(root.folder, [head, stat]);
    await reader.look();
    expect(head.given).toEqual(['head w.safetensors 8']);
    expect(stat.texts.get('w.safetensors')).toBe(String(5 * 2 ** 30));
    expect(reader.claims().flatMap(({ problems }) => problems)).toEqual([]);
  });

  it('gives bytes to whoever asks, from inside the root only', async () => {
    const root = make({ 'run/completions.parquet': 'rows' });
    const reader = await open(root.folder, []);
    expect(Buffer.from(await reader.read('run/completions.parquet')).toString()).toBe('rows');
    await expect(reader.read('run/none.parquet')).rejects.toThrow('run/none.parquet is not there any more.');
    await expect(reader.read('run/completions.parquet', 3)).rejects.toThrow('at most');
    await expect(reader.read('../x')).rejects.toThrow('not a path below');
  });
});

it('writes nothing, whatever it meets', async () => {
  const { main, logs } = await makeLogDatabase('create table metrics (a)', 'insert into metrics values (1)');
  const root = make({ 'run/log.txt': 'log', 'run/state.json': '{"half', 'p.db': main, 'p.db-wal': logs[0]! });
  root.write('future/log.txt', 'x', Date.now() + 1e11);
  root.link('run/self', '..');
  root.link('run/loop', 'loop');
  root.makeFolder('node_modules/x');
  const before = root.state();
  const reader = await open(root.folder, [
    fakeFormat('log.txt'),
    fakeFormat('state.json', { read: { mode: 'whole' } }),
    fakeFormat('p.db', { read: { mode: 'database' } }),
  ]);
  await reader.look();
  await reader.look();
  expect(reader.claims()).toHaveLength(4);
  await reader.close();
  expect(root.state()).toEqual(before);
});

it('reads again what could not be read, without a change', async () => {
  const root = make({ 'run/log.txt': 'log' });
  let isBusy = true;
  const calls = {
    ...localCalls,
    open(path: string) {
      if (isBusy) throw Object.assign(new Error('EMFILE'), { code: 'EMFILE', syscall: 'open' });
      return localCalls.open(path);
    },
  };
  const reader = await open(root.folder, [fakeFormat('log.txt')], { calls });
  await reader.look();
  expect(claimOf(reader, 'log.txt:run')?.problems[0]).toContain('too many files are open');
  isBusy = false;
  await vi.waitFor(() => expect(textOf(reader, 'log.txt:run')).toBe('log'), { timeout: 20_000 });
  expect(claimOf(reader, 'log.txt:run')?.problems).toEqual([]);
});

it('reads what is costly to read again only after a rest, or when a person asks', async () => {
  const root = make({ 'state.json': '1' });
  const moveOn = movableClock();
  const slow = {
    ...localCalls,
    open(path: string) {
      moveOn(200);
      return localCalls.open(path);
    },
  };
  const format = fakeFormat('state.json', { read: { mode: 'whole' } });
  const reader = await open(root.folder, [format], { calls: slow });
  await reader.look();
  root.write('state.json', '22');
  await reader.look();
  root.write('state.json', '333');
  // The change is seen, and waits.
  await vi.waitFor(() => expect(claimOf(reader, 'state.json:')?.isRead).toBe(false), { timeout: 20_000 });
  expect(textOf(reader, 'state.json:')).toBe('22');
  await reader.look();
  expect(textOf(reader, 'state.json:')).toBe('333');
});

it('gives what it found while it goes on, and answers between the slices', async () => {
  const root = make();
  for (let index = 0; index < 40; index += 1) root.write(`run-${index}/log.txt`, 'x'.repeat(2 ** 16));
  const moveOn = movableClock();
  const slow = {
    ...localCalls,
    lstat(path: string) {
      moveOn(5);
      return localCalls.lstat(path);
    },
    list(path: string, maximum: number) {
      moveOn(500);
      return localCalls.list(path, maximum);
    },
  };
  const recognised: number[] = [];
  const found: number[] = [];
  const onChange = () => {
    recognised.push(reader.claims().length);
    found.push(reader.claims().filter(({ isRead }) => isRead).length);
  };
  const reader = await open(root.folder, [fakeFormat('log.txt')], { calls: slow, onChange });
  expect(reader.report().state).toBe('scanning');
  await reader.look();
  expect(recognised.some((count) => count > 0 && count < 40)).toBe(true);
  expect(found.some((count) => count > 0 && count < 40)).toBe(true);
  expect(found.at(-1)).toBe(40);
  expect(reader.report().state).not.toBe('scanning');
});

it('reads the beginnings of all long files before the rest of any', async () => {
  const root = make();
  const names = ['a', 'b', 'c', 'd'];
  for (const name of names) root.write(`${name}/log.txt`, name.repeat(2 ** 20));
  const format = fakeFormat('log.txt');
  const reader = await open(root.folder, [format]);
  await reader.look();
  const heads = format.given.slice(0, names.length);
  expect(heads.map((given) => given.split('/')[0]).toSorted()).toEqual(names.map((name) => `tail ${name}`));
  expect(heads.every((given) => given.includes(' start '))).toBe(true);
  expect(names.map((name) => textOf(reader, `log.txt:${name}`)?.length)).toEqual(names.map(() => 2 ** 20));
  expect(reader.claims().every(({ wasRead }) => wasRead)).toBe(true);
});

describe('a reader with a fault', () => {
  it.each(['recognise', 'open', 'take', 'evidence'] as const)('stays alone: it throws at %s', async (place) => {
    const root = make({ 'bad/log.txt': 'bad', 'good/log.txt': 'good', 'good/other.txt': 'other' });
    const fail = (at: string, path: string) => {
      if (at === place && path.startsWith('bad')) throw new TypeError('x is not a function');
    };
    const reader = await open(root.folder, [fakeFormat('log.txt', { fail }), fakeFormat('other.txt')]);
    await reader.look();
    expect(textOf(reader, 'log.txt:good')).toBe('good');
    expect(textOf(reader, 'other.txt:good')).toBe('other');
    const inClaims = reader
      .claims()
      .flatMap(({ folder, problems }) => problems.map((reason) => ({ path: folder, reason })));
    const problems = [...reader.report().problems, ...inClaims];
    expect(problems).toHaveLength(1);
    expect(problems[0]?.reason).toContain('x is not a function');
    expect(problems[0]?.path).toBe('bad');
  });

  it('keeps what it recognised before', async () => {
    let isBroken = false;
    const fail = (at: string) => {
      if (at === 'recognise' && isBroken) throw new Error('broken');
    };
    const root = make({ 'run/log.txt': 'kept' });
    const reader = await open(root.folder, [fakeFormat('log.txt', { fail })]);
    await reader.look();
    isBroken = true;
    root.write('run/more.txt', '');
    await reader.look();
    expect(textOf(reader, 'log.txt:run')).toBe('kept');
  });
});

describe('by itself', () => {
  it.each([true, false])('shows what is appended to an old run (watched: %s)', async (isWatched) => {
    const root = make();
    root.write('run/log.txt', 'one', YESTERDAY);
    root.touch('run', YESTERDAY);
    const reader = await open(root.folder, [fakeFormat('log.txt')], { isWatched });
    await reader.look();
    root.append('run/log.txt', ' two');
    root.write('other/log.txt', 'new');
    await vi.waitFor(
      () => {
        expect(textOf(reader, 'log.txt:run')).toBe('one two');
        expect(textOf(reader, 'log.txt:other')).toBe('new');
      },
      { timeout: 20_000 },
    );
    expect(reader.report().state).toBe(isWatched ? 'watching' : 'polling');
  });
});
