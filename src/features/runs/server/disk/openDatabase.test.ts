import { afterEach, describe, expect, it } from 'vitest';
import { Unreadable } from '#features/runs/server/reader.ts';
import { makeLogDatabase } from './database.fixture.ts';
import { fakeRoot, type FakeRoot } from './fakeRoot.fixture.ts';
import { localCalls } from './fileCalls.ts';
import { openDatabase } from './openDatabase.ts';

const FIRST = 'create table metrics (step integer, value real); insert into metrics values (1, 1)';
const MANY =
  'with recursive n(i) as (values (2) union all select i + 1 from n where i < 20000) insert into metrics select i, i from n';
let root: FakeRoot | null = null;
afterEach(() => {
  root?.close();
  root = null;
});

/** Page by page, whatever its size. */
const open = <Value>(use: Parameters<typeof openDatabase<Value>>[2], calls = localCalls): Promise<Value> =>
  openDatabase({ folder: root?.folder ?? '', calls }, { path: 'p.db', bytes: 1 }, use, 0);

const steps: Parameters<typeof openDatabase<readonly unknown[]>>[2] = (view) =>
  view.rows('select step from metrics order by rowid').map(({ step }) => step);

describe('a large database', () => {
  it('is read with its log, and nothing is written', async () => {
    const { main, logs } = await makeLogDatabase(FIRST, 'insert into metrics values (2, 2)', MANY);
    root = fakeRoot({ 'p.db': main, 'p.db-wal': logs[0]! });
    const before = root.state();
    expect(await open(steps)).toEqual([1, 2]);
    expect(root.state()).toEqual(before);
    root.write('p.db-wal', logs[1]!);
    expect(await open(steps)).toHaveLength(20_001);
  });

  it('is read for a new row in a few pages', async () => {
    const { images } = await makeLogDatabase(FIRST, MANY);
    root = fakeRoot({ 'p.db': images[0]! });
    let bytes = 0;
    const counted: typeof localCalls = {
      ...localCalls,
      read(file, into, at) {
        bytes += into.length;
        return localCalls.read(file, into, at);
      },
    };
    expect(await open((view) => view.rows('select step from metrics where rowid > 19999'), counted)).toEqual([
      { step: 20_000 },
    ]);
    expect(images[0]!.length).toBeGreaterThan(200_000);
    expect(bytes).toBeLessThan(60_000);
  });

  it('runs no code of the file, and says that a damaged one is damaged', async () => {
    const endless = 'with recursive n(i) as (select 1 union all select i + 1 from n) select i from n';
    const { images } = await makeLogDatabase(FIRST, `create view v as ${endless}; create table other (a)`);
    root = fakeRoot({ 'p.db': images[0]! });
    await open((view) => {
      expect(view.columns('v')).toEqual([]);
      expect(() => view.rows('select max(i) from v')).toThrow('no such table');
      expect(view.columns('metrics')).toEqual(['step', 'value']);
    });
    root.write('p.db', Buffer.from(images[0]!).fill(0xff, 100, 8192));
    await expect(open(steps)).rejects.toThrow('p.db is damaged: ');
    root.write('p.db', 'no database at all, and yet longer than a header is, which has a hundred bytes, and some');
    await expect(open(steps)).rejects.toThrow('p.db is not a SQLite database');
  });

  it('that is written to under the reading is read again, and no answer is of two states', async () => {
    const { images } = await makeLogDatabase(FIRST, MANY, 'delete from metrics where step < 10000');
    const written = fakeRoot({ 'p.db': images[0]! });
    root = written;
    const answers: number[] = [];
    const count = await open((view) => {
      if (answers.length === 0) answers.push(view.rows('select step from metrics').length);
      if (answers.length === 1) {
        written.write('p.db', images[1]!);
        answers.push(0);
      }
      return view.rows('select step from metrics').length;
    });
    expect([...answers, count]).toEqual([20_000, 0, 10_001]);
    let turn = 0;
    const restless = open((view) => {
      written.write('p.db', images[(turn += 1) % 2]!);
      return view.rows('select step from metrics').length;
    });
    await expect(restless).rejects.toThrow(Unreadable);
    await expect(restless).rejects.toThrow('p.db is being written to');
  });
});
