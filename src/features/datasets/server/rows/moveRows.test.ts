import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { toContentHash } from '#features/datasets/shared/contentHash.ts';
import { keepDatabase } from '#service/database/keepDatabase.fixture.ts';
import { moveOldRows } from './moveRows.ts';
import { readRows } from './rowStore.ts';

const database = await keepDatabase();

const toBody = (at: number): string =>
  JSON.stringify({
    messages: [
      { role: 'user', content: `It's row ${at}` },
      { role: 'assistant', content: 'Yes.' },
    ],
  });
/** `'` is doubled in SQL. */
const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The table as it was before rows were in blocks, with a dataset of so many rows. */
async function makeOld(counts: readonly number[], bodyOf = toBody): Promise<string[]> {
  await database.executeSql(`drop table if exists studio.dataset_rows`);
  await database.executeSql(
    `create table studio.dataset_rows (dataset_id uuid not null, position integer not null, bucket text not null,
     body text not null, primary key (dataset_id, position))`,
  );
  const ids: string[] = [];
  for (const count of counts) {
    const id = randomUUID();
    ids.push(id);
    for (let from = 0; from < count; from += 1000) {
      const values = Array.from({ length: Math.min(1000, count - from) }, (_, more) => {
        const at = from + more;
        return `('${id}', ${at}, '${at % 10 === 0 ? 'validation' : 'training'}', ${quote(bodyOf(at))})`;
      });
      await database.executeSql(`insert into studio.dataset_rows values ${values.join()}`);
    }
  }
  return ids;
}

it('all rows of older studios move into blocks, in their order, with their sides and hashes', async () => {
  const [small = '', large = ''] = await makeOld([3, 4500]);
  await moveOldRows(database.orm);
  const moved = await readRows(database.orm, large, { from: 0, end: 10_000 });
  expect(moved.map(({ position }) => position)).toEqual(Array.from({ length: 4500 }, (_, at) => at));
  expect(moved[4490]).toEqual({
    position: 4490,
    text: toBody(4490),
    original: null,
    hash: toContentHash(toBody(4490)),
    bucket: 'validation',
  });
  expect((await readRows(database.orm, small, { from: 0, end: 9 })).map(({ bucket }) => bucket)).toEqual([
    'validation',
    'training',
    'training',
  ]);
  // The old table is gone, so the next start has nothing to do.
  const { rows } = await database.executeSql(`select to_regclass('studio.dataset_rows')::text as name`);
  expect(rows).toEqual([{ name: null }]);
  await moveOldRows(database.orm);
  expect(await readRows(database.orm, large, { from: 4499, end: 9000 })).toHaveLength(1);
});

it('either all rows move or none: a failure keeps the old table', async () => {
  const [first = '', second = ''] = await makeOld([300, 300]);
  // A block of the second dataset is there already, as it must not be.
  const taken = [first, second].toSorted()[1] ?? '';
  await database.executeSql(
    `insert into studio.row_blocks (dataset_id, first_position, row_count, body, grams) values ('${taken}', 256, 1, '', '')`,
  );
  await expect(moveOldRows(database.orm)).rejects.toThrow();
  const { rows } = await database.executeSql('select count(*)::integer as count from studio.dataset_rows');
  expect(rows).toEqual([{ count: 600 }]);
  const blocks = await database.executeSql(
    `select dataset_id from studio.row_blocks where dataset_id in ('${first}', '${second}')`,
  );
  expect(blocks.rows).toEqual([{ dataset_id: taken }]);
});

it('a body that is no chat row moves as it is', async () => {
  const odd = '{"text": "kept"}';
  const [id = ''] = await makeOld([1], () => odd);
  await moveOldRows(database.orm);
  expect(await readRows(database.orm, id, { from: 0, end: 1 })).toMatchObject([
    { text: odd, hash: toContentHash(odd), original: null },
  ]);
});
