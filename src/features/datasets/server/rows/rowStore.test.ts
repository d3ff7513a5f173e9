import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { keepDatabase } from '#service/database/keepDatabase.fixture.ts';
import { toGrams } from './grams.ts';
import { toBlock } from './rowBlocks.ts';
import { copyBlocks, readBlockPlaces, readGrams, readRowPage, removeAllBlocks } from './rowStore.ts';

const database = await keepDatabase();

// Blocks of one row and of two.
const contents = Array.from({ length: 600 }, (_, at) => Array.from({ length: 1 + (at % 2) }, () => `"text ${at}"`));
const blocks = contents.map((texts) =>
  toBlock(texts.map((text) => ({ text, original: null, hash: '0'.repeat(16), bucket: null }))),
);

it('reads the index of more blocks than it reads at once, in their order', async () => {
  // A whole read holds 256.
  const id = randomUUID();
  await copyBlocks(database, id, 0, blocks);
  await copyBlocks(database, randomUUID(), 0, blocks.slice(0, 2));

  const places = await readBlockPlaces(database, id);
  let end = 0;
  for (const [at, { first, count }] of places.entries()) {
    expect([first, count]).toEqual([end, contents[at]?.length]);
    end += count;
  }
  expect(places).toHaveLength(600);
  const whole = Buffer.concat(contents.map((texts) => toGrams(texts)));
  expect(whole.equals(await readGrams(database, id, places))).toBe(true);

  // Who looks for something must look into a block of which nothing is known.
  const unknown = { first: end, count: 1 };
  const more = await readGrams(database, id, [...places, unknown]);
  expect(more.subarray(0, whole.length).equals(whole)).toBe(true);
  expect(more.subarray(whole.length).every((byte) => byte === 0xff)).toBe(true);
  expect(await readGrams(database, id, [])).toHaveLength(0);
});

it('removes all blocks of a dataset from the end on, in pieces that are written one by one', async () => {
  const [id, other] = [randomUUID(), randomUUID()];
  await copyBlocks(database, id, 0, blocks);
  await copyBlocks(database, other, 0, blocks.slice(0, 2));
  const all = await readBlockPlaces(database, id);
  const counts: number[] = [];
  await removeAllBlocks(async (work) => {
    const hasRemoved = await work(database.orm);
    const left = await readBlockPlaces(database, id);
    expect(left).toEqual(all.slice(0, left.length));
    counts.push(left.length);
    return hasRemoved;
  }, id);
  expect(counts.length).toBeGreaterThan(2);
  expect(counts.slice(-2)).toEqual([0, 0]);
  expect(await readBlockPlaces(database, other)).toHaveLength(2);
});

it('reads pages of a few blocks, so that long rows fill no memory', async () => {
  const id = randomUUID();
  const sizes = [1, 1, 2, 1, 3, 1, 1];
  const blocks = sizes.map((size, at) =>
    toBlock(
      Array.from({ length: size }, () => ({ text: `"${at}"`, original: null, hash: '0'.repeat(16), bucket: null })),
    ),
  );
  await copyBlocks(database, id, 0, blocks);
  const pages: number[][] = [];
  for (let from = 1; from < 9;) {
    const { rows, next } = await readRowPage(database.orm, id, { from, end: 9 });
    pages.push(rows.map(({ position }) => position));
    from = next;
  }
  expect(pages).toEqual([[1, 2, 3, 4, 5, 6, 7], [8]]);
  expect(await readRowPage(database.orm, id, { from: 9, end: 9 })).toEqual({ rows: [], next: 9 });
  expect(await readRowPage(database.orm, id, { from: 9, end: 20 })).toMatchObject({
    rows: [{ position: 9 }],
    next: 20,
  });
});
