import { expect, it } from 'vitest';
import { Unreadable } from '#features/runs/server/reader.ts';
import { makeLogDatabase } from './database.fixture.ts';
import { withDatabase } from './openDatabase.ts';

const imageOf = async (sql: string): Promise<Uint8Array> => {
  const { images } = await makeLogDatabase('create table first (a)', sql);
  const image = Buffer.from(images[0]!);
  image[18] = image[19] = 1;
  return image;
};

it('gives rows by column name, with BLOBs as bytes', async () => {
  const image = await imageOf(
    `create table m (name text, loss real, step integer, body blob, none);
     insert into m values ('é日', 0.1, 9007199254740991, x'7b7d', null)`,
  );
  const read = await withDatabase(image, 'm.db', (view) => ({
    columns: view.columns('m'),
    absent: view.columns('nothing'),
    rows: view.rows('select * from m where step > ?', [3]),
    some: view.rows('with n(i) as (values (1), (2), (3)) select i from n', [], 2),
  }));
  expect(read.columns).toEqual(['name', 'loss', 'step', 'body', 'none']);
  expect(read.absent).toEqual([]);
  expect(read.rows).toEqual([
    { name: 'é日', loss: 0.1, step: 9007199254740991, body: new Uint8Array([0x7b, 0x7d]), none: null },
  ]);
  expect(read.some).toEqual([{ i: 1 }, { i: 2 }]);
});

it('only reads, and runs no code of the file', async () => {
  const endless = 'with recursive n(i) as (select 1 union all select i + 1 from n) select i from n';
  const image = await imageOf(
    `create table t (a); create view "odd ""name" as ${endless}; create view v as ${endless}`,
  );
  await withDatabase(image, 'x.db', (view) => {
    expect(view.columns('v')).toEqual([]);
    expect(() => view.rows('select max(i) from v')).toThrow('no such table');
    expect(() => view.rows('delete from t')).toThrow('Only SELECT');
    expect(() => view.rows('with a as (select 1) insert into t select * from a')).toThrow('readonly');
    expect(() => view.rows('select absent from t')).toThrow('no such column');
  });
});

it('says that a damaged file is damaged', async () => {
  const image = (await imageOf('create table t (a)')).slice();
  image.fill(0xff, 100, 8192);
  await expect(withDatabase(image, 'run/x.db', () => 0)).rejects.toThrow(Unreadable);
  await expect(withDatabase(image, 'run/x.db', () => 0)).rejects.toThrow('run/x.db is damaged: ');
});
