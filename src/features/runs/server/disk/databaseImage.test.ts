import { afterEach, describe, expect, it } from 'vitest';
import { Unreadable } from '#features/runs/server/reader.ts';
import { makeLogDatabase, toLog } from './database.fixture.ts';
import { overlayLog, readDatabase, rollBack } from './databaseImage.ts';
import { withDatabase } from './openDatabase.ts';
import { fakeRoot, type FakeRoot } from './fakeRoot.fixture.ts';
import { localCalls, remoteCalls } from './fileCalls.ts';
import { Gone } from './safeFile.ts';

const FIRST = 'create table metrics (step integer, loss real); insert into metrics values (1, 2.5)';
const MANY = `insert into metrics
  with recursive n(i) as (select 2 union all select i + 1 from n where i < 2000) select i, 1.0 / i from n`;

let root: FakeRoot | null = null;
afterEach(() => {
  root?.close();
  root = null;
});

const stepsOf = (image: Uint8Array) =>
  withDatabase(image, 'x.db', (view) => view.rows('select step from metrics order by step').map(({ step }) => step));

const plain = (image: Uint8Array): Buffer => {
  const copy = Buffer.from(image);
  copy[18] = copy[19] = 1;
  return copy;
};

describe('a write-ahead log over its database', () => {
  it('adds what was committed to the log', async () => {
    const { main, logs } = await makeLogDatabase(FIRST, 'insert into metrics values (2, 2)', MANY);
    expect(await stepsOf(plain(main))).toEqual([1]);
    expect(await stepsOf(plain(overlayLog(main, logs[0]!)))).toEqual([1, 2]);
    expect(await stepsOf(plain(overlayLog(main, logs[1]!)))).toHaveLength(2001);
  });

  it('cuts the database to the page count of the last commit', async () => {
    const { main, logs, images } = await makeLogDatabase(
      `${FIRST};${MANY}`,
      'delete from metrics where step > 1; vacuum',
    );
    const image = overlayLog(main, logs[0]!);
    expect(image.length).toBeLessThan(main.length);
    expect(Buffer.compare(image, images[0]!)).toBe(0);
  });

  it('leaves out a commit that is half written, at every length of the log', async () => {
    const { main, logs, images } = await makeLogDatabase(FIRST, 'insert into metrics values (2, 2)', MANY);
    const allowed = [main, ...images].map((image) => image.toString('latin1'));
    for (let bytes = 0; bytes <= logs[1]!.length; bytes += 1021) {
      const image = overlayLog(Buffer.from(main), logs[1]!.subarray(0, bytes));
      expect(allowed).toContain(Buffer.from(image).toString('latin1'));
    }
  });

  it('leaves out frames from before the last restart of the log', async () => {
    const { main, images, logs } = await makeLogDatabase(FIRST, 'insert into metrics values (2, 2)', MANY);
    // The first commit, then what a longer log left behind it.
    const restarted = Buffer.concat([toLog([main, images[0]!], [7, 8]), logs[1]!.subarray(logs[0]!.length)]);
    expect(await stepsOf(plain(overlayLog(main, restarted)))).toEqual([1, 2]);
  });

  it('stops at a frame with a wrong checksum', async () => {
    const { main, logs } = await makeLogDatabase(FIRST, 'insert into metrics values (2, 2)');
    const damaged = Buffer.from(logs[0]!);
    damaged[damaged.length - 1]! ^= 1;
    expect(await stepsOf(plain(overlayLog(main, damaged)))).toEqual([1]);
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

describe('a rollback journal', () => {
  it('takes an unfinished transaction back', async () => {
    const { main, images } = await makeLogDatabase(FIRST, MANY);
    expect(await stepsOf(plain(rollBack(Buffer.from(images[0]!), toJournal(main))))).toEqual([1]);
  });

  it('does nothing once the transaction ended', async () => {
    const { main, images } = await makeLogDatabase(FIRST, 'insert into metrics values (2, 2)');
    const cleared = toJournal(main).fill(0, 0, 28);
    expect(await stepsOf(plain(rollBack(Buffer.from(images[0]!), cleared)))).toEqual([1, 2]);
    expect(await stepsOf(plain(rollBack(Buffer.from(images[0]!), Buffer.alloc(0))))).toEqual([1, 2]);
  });
});

describe.each([localCalls, remoteCalls])('reading a database', (calls) => {
  it('reads main file and log together, and writes nothing', async () => {
    const { main, logs } = await makeLogDatabase(FIRST, 'insert into metrics values (2, 2)');
    root = fakeRoot({ 'trackio/p.db': main, 'trackio/p.db-wal': logs[0]! });
    const before = root.state();
    const image = await readDatabase({ folder: root.folder, calls }, 'trackio/p.db');
    expect(await stepsOf(image)).toEqual([1, 2]);
    expect(root.state()).toEqual(before);
  });

  it('reads one consistent state while a writer checkpoints', async () => {
    const steps = Array.from({ length: 40 }, (_, index) => `insert into metrics values (${index + 2}, 0)`);
    const { main, logs, images } = await makeLogDatabase(FIRST, ...steps);
    const written = fakeRoot({ 'p.db': main, 'p.db-wal': logs[0]! });
    root = written;
    let step = 0;
    // Each call of the reader may find the writer further on: a commit, or a checkpoint and a new log.
    const restless: typeof calls = {
      ...calls,
      async open(path) {
        step = Math.min(step + 1, steps.length - 1);
        if (step % 7 === 6) {
          written.write('p.db', images[step]!);
          written.write('p.db-wal', toLog([images[step]!], [step, step]));
        } else if (step < 6) written.write('p.db-wal', logs[step]!);
        return calls.open(path);
      },
    };
    const image = await readDatabase({ folder: root.folder, calls: restless }, 'p.db');
    const read = await stepsOf(image);
    expect(read).toEqual(read.map((_, index) => index + 1));
    expect(read.length).toBeGreaterThan(1);
  });

  it('says what is wrong with other files', async () => {
    root = fakeRoot({ 'text.db': 'no database at all', 'empty.db': '' });
    const opened = { folder: root.folder, calls };
    await expect(readDatabase(opened, 'text.db')).rejects.toThrow(Unreadable);
    await expect(readDatabase(opened, 'empty.db')).rejects.toThrow('empty.db is not a SQLite database');
    await expect(readDatabase(opened, 'none.db')).rejects.toThrow(Gone);
  });
});
