import { afterEach, describe, expect, it } from 'vitest';
import { Unreadable, type DatabaseView } from '#features/runs/server/reader.ts';
import { makeLogDatabase, toLog } from './database.fixture.ts';
import { fakeRoot, type FakeRoot } from './fakeRoot.fixture.ts';
import { localCalls, remoteCalls, type FileCalls } from './fileCalls.ts';
import { openDatabase } from './openDatabase.ts';
import { Gone } from './safeFile.ts';

const FIRST = 'create table metrics (step integer, value real); insert into metrics values (1, 1)';
const SECOND = 'insert into metrics values (2, 2)';
const MANY =
  'with recursive n(i) as (values (2) union all select i + 1 from n where i < 20000) insert into metrics select i, i from n';
let root: FakeRoot | null = null;
afterEach(() => {
  root?.close();
  root = null;
});

const lay = (files: Readonly<Record<string, Buffer | string>>): FakeRoot => {
  root?.close();
  return (root = fakeRoot(files));
};

const steps = (view: DatabaseView): readonly unknown[] =>
  view.rows('select step from metrics order by rowid').map(({ step }) => step);

const WAYS: readonly (readonly [way: string, calls: FileCalls, mostCopied: number])[] = [
  ['page by page', localCalls, 0],
  ['as a whole', localCalls, Infinity],
  ['of a network mount', remoteCalls, 0],
];

describe.each(WAYS)('a database that is read %s', (way, calls, mostCopied) => {
  const open = <Value>(use: (view: DatabaseView) => Value, given = calls): Promise<Value> =>
    openDatabase({ folder: root?.folder ?? '', calls: given }, 'p.db', use, mostCopied);

  it('has what was committed to its log, and nothing is written', async () => {
    const { main, logs } = await makeLogDatabase(FIRST, SECOND, MANY);
    const { state, write } = lay({ 'p.db': main, 'p.db-wal': logs[0]! });
    const before = state();
    expect(await open(steps)).toEqual([1, 2]);
    expect(state()).toEqual(before);
    write('p.db-wal', logs[1]!);
    expect(await open(steps)).toHaveLength(20_001);
  });

  it('is cut to the page count of the last commit', async () => {
    const { main, logs, images } = await makeLogDatabase(
      `${FIRST};${MANY}`,
      'delete from metrics where step > 1; vacuum',
    );
    lay({ 'p.db': main, 'p.db-wal': logs[0]! });
    expect(await open(steps)).toEqual([1]);
    const pages = await open((view) => view.rows('select page_count as count from pragma_page_count'));
    expect(pages).toEqual([{ count: images[0]!.length / 4096 }]);
  });

  it('has no commit that is half written, at any length of the log', async () => {
    const { main, logs } = await makeLogDatabase(FIRST, SECOND, 'insert into metrics values (3, 3)');
    const { write } = lay({ 'p.db': main });
    for (let bytes = 0; bytes <= logs[1]!.length; bytes += 1021) {
      write('p.db-wal', logs[1]!.subarray(0, bytes));
      const whole = logs.filter(({ length }) => length <= bytes).length;
      expect(await open(steps)).toEqual([1, 2, 3].slice(0, whole + 1));
    }
  });

  it('has no frames from before the last restart of the log, nor one with a wrong checksum', async () => {
    const { main, images, logs } = await makeLogDatabase(FIRST, SECOND, MANY);
    // The first commit, then what a longer log left behind it.
    const restarted = Buffer.concat([toLog([main, images[0]!], [7, 8]), logs[1]!.subarray(logs[0]!.length)]);
    const { write } = lay({ 'p.db': main, 'p.db-wal': restarted });
    expect(await open(steps)).toEqual([1, 2]);
    const damaged = Buffer.from(logs[0]!);
    damaged[damaged.length - 1]! ^= 1;
    write('p.db-wal', damaged);
    expect(await open(steps)).toEqual([1]);
  });

  it('is without a transaction that did not end', async () => {
    const { main, images } = await makeLogDatabase(FIRST, MANY, 'delete from metrics where step > 2');
    const { write } = lay({ 'p.db': images[0]!, 'p.db-journal': toJournal(main) });
    expect(await open(steps)).toEqual([1]);
    for (const ended of [toJournal(main).fill(0, 0, 28), Buffer.alloc(0)]) {
      write('p.db', images[1]!);
      write('p.db-journal', ended);
      expect(await open(steps)).toEqual([1, 2]);
    }
  });

  it('is one consistent state while a writer checkpoints', async () => {
    const sql = Array.from({ length: 40 }, (_, index) => `insert into metrics values (${index + 2}, 0)`);
    const { main, logs, images } = await makeLogDatabase(FIRST, ...sql);
    const { write } = lay({ 'p.db': main, 'p.db-wal': logs[0]! });
    let step = 0;
    // Each call of the reader may find the writer further on: a commit, or a checkpoint and a new log.
    const restless: FileCalls = {
      ...calls,
      async open(path) {
        step = Math.min(step + 1, sql.length - 1);
        if (step % 7 === 6) {
          write('p.db', images[step]!);
          write('p.db-wal', toLog([images[step]!], [step, step]));
        } else if (step < 6) write('p.db-wal', logs[step]!);
        return calls.open(path);
      },
    };
    const read = await open(steps, restless);
    expect(read).toEqual(read.map((_, index) => index + 1));
    expect(read.length).toBeGreaterThan(1);
  });

  it('gives rows by column name, with BLOBs as bytes', async () => {
    const { images } = await makeLogDatabase(
      FIRST,
      `create table m (name text, loss real, step integer, body blob, none);
       insert into m values ('é日', 0.1, 9007199254740991, x'7b7d', null)`,
    );
    lay({ 'p.db': images[0]! });
    await open((view) => {
      expect([view.columns('m'), view.columns('nothing')]).toEqual([['name', 'loss', 'step', 'body', 'none'], []]);
      expect(view.rows('select * from m where step > ?', [3])).toEqual([
        { name: 'é日', loss: 0.1, step: 9007199254740991, body: new Uint8Array([0x7b, 0x7d]), none: null },
      ]);
      expect(view.rows('with n(i) as (values (1), (2), (3)) select i from n', [], 2)).toEqual([{ i: 1 }, { i: 2 }]);
    });
  });

  it('is only read, and runs no code of the file', async () => {
    const endless = 'with recursive n(i) as (select 1 union all select i + 1 from n) select i from n';
    const { images } = await makeLogDatabase(
      FIRST,
      `create table t (a); create view "odd ""name" as ${endless}; create view v as ${endless}`,
    );
    lay({ 'p.db': images[0]! });
    await open((view) => {
      expect(view.columns('v')).toEqual([]);
      expect(() => view.rows('select max(i) from v')).toThrow('no such table');
      expect(() => view.rows('delete from t')).toThrow('Only SELECT');
      expect(() => view.rows('with a as (select 1) insert into t select * from a')).toThrow('readonly');
      expect(() => view.rows('select absent from t')).toThrow('no such column');
    });
  });

  it('says what is wrong with other files', async () => {
    const { images } = await makeLogDatabase(FIRST, SECOND);
    const { write, remove } = lay({ 'p.db': Buffer.from(images[0]!).fill(0xff, 100, 8192) });
    await expect(open(steps)).rejects.toThrow('p.db is damaged: ');
    for (const other of [
      '',
      'no database at all, and yet longer than a header is, which has a hundred bytes, and more',
    ]) {
      write('p.db', other);
      await expect(open(steps)).rejects.toThrow('p.db is not a SQLite database');
    }
    remove('p.db');
    await expect(open(steps)).rejects.toThrow(Gone);
  });

  it.runIf(way === 'page by page')('is read for a new row in a few pages', async () => {
    const { images } = await makeLogDatabase(FIRST, MANY);
    lay({ 'p.db': images[0]! });
    let bytes = 0;
    const counted: FileCalls = {
      ...calls,
      read(file, into, at) {
        bytes += into.length;
        return calls.read(file, into, at);
      },
    };
    const found = await open((view) => view.rows('select step from metrics where rowid > 19999'), counted);
    expect(found).toEqual([{ step: 20_000 }]);
    expect(images[0]!.length).toBeGreaterThan(200_000);
    expect(bytes).toBeLessThan(60_000);
  });

  it.runIf(way === 'page by page')('is read again where it is written to, and no answer is of two states', async () => {
    const { images } = await makeLogDatabase(FIRST, MANY, 'delete from metrics where step < 10000');
    const { write } = lay({ 'p.db': images[0]! });
    const answers: number[] = [];
    const count = await open((view) => {
      if (answers.length === 0) answers.push(view.rows('select step from metrics').length);
      if (answers.length === 1) {
        write('p.db', images[1]!);
        answers.push(0);
      }
      return view.rows('select step from metrics').length;
    });
    expect([...answers, count]).toEqual([20_000, 0, 10_001]);
    let turn = 0;
    const restless = open((view) => {
      write('p.db', images[(turn += 1) % 2]!);
      return view.rows('select step from metrics').length;
    });
    await expect(restless).rejects.toThrow(Unreadable);
    await expect(restless).rejects.toThrow('p.db is being written to');
  });
});

/** A journal with the pages of `before`, as SQLite writes it before it changes them. */
function toJournal(before: Buffer): Buffer {
  const header = Buffer.alloc(512);
  Buffer.from('d9d505f920a163d7', 'hex').copy(header);
  const count = before.length / 4096;
  header.writeUInt32BE(count, 8);
  header.writeUInt32BE(count, 16);
  header.writeUInt32BE(512, 20);
  header.writeUInt32BE(4096, 24);
  const records = Array.from({ length: count }, (_, index) => {
    const record = Buffer.alloc(4096 + 8);
    record.writeUInt32BE(index + 1, 0);
    before.copy(record, 4, index * 4096, (index + 1) * 4096);
    return record;
  });
  return Buffer.concat([header, ...records]);
}
