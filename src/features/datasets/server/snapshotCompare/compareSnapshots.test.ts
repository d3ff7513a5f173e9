import { setTimeout as pause } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { SnapshotComparison } from '#features/datasets/shared/contract/datasets.ts';
import type { ChatRow } from '#core/rows/chatRow.ts';
import { toQuestionHash } from '#features/datasets/shared/contentHash.ts';
import { SIDE_CODES } from '#features/datasets/shared/split.ts';
import type { Database } from '#service/database/database.ts';
import { keepDatabase } from '#service/database/keepDatabase.fixture.ts';
import { toStoredRow } from '#features/datasets/server/rows/importedRow.ts';
import { toBlocks } from '#features/datasets/server/rows/rowBlocks.ts';
import { copyBlocks } from '#features/datasets/server/rows/rowStore.ts';
import { insertFrozenRows, type FrozenRows } from '#features/datasets/server/rows/snapshotFrame.ts';
import { readWholeSnapshot } from '#features/datasets/server/rows/wholeSnapshot.fixture.ts';
import { datasets, projects, snapshots } from '#service/database/tables.ts';
import { openComparisons, type CompareSnapshots } from './compareSnapshots.ts';

const database = await keepDatabase();

const created_at = new Date('2026-11-23T10:00:00.000Z');
const project_id = randomUUID();
await database.orm.insert(projects).values({ id: project_id, name: 'Desk', created_at });

const toText = (question: number, answer: number): string =>
  JSON.stringify({
    messages: [
      { role: 'user', content: `Where is order ${question}? ${'Please. '.repeat(question % 5)}` },
      { role: 'assistant', content: `Answer ${answer}.` },
    ],
  });

async function addDataset(texts: readonly string[]): Promise<string> {
  const id = randomUUID();
  await database.orm.insert(datasets).values({
    id,
    project_id,
    position: 0,
    label: 'Tickets',
    status: 'completed',
    datapoints_count: texts.length,
    created_at,
  });
  await copyBlocks(database, id, 0, toBlocks(texts.map((text) => toStoredRow(text, null))));
  return id;
}

async function addSnapshot(dataset_id: string, { sides, edited }: FrozenRows): Promise<string> {
  const id = randomUUID();
  await database.orm.insert(snapshots).values({
    id,
    dataset_id,
    position: 0,
    label: 'Snapshot',
    rows_end: sides.length,
    training_count: 1,
    validation_count: 0,
    answer_shape: null,
    created_at,
  });
  await insertFrozenRows(database.orm, id, { sides, edited });
  return id;
}

const toSides = (count: number, toSide: (at: number) => number): Uint8Array =>
  Uint8Array.from({ length: count }, (_, at) => toSide(at));

/** The same in the plainest way: with all rows in memory. */
async function compareWhole(id: string, other: string): Promise<SnapshotComparison> {
  const read = async (snapshotId: string) => {
    const rows = await readWholeSnapshot(database.orm, snapshotId);
    return rows.map(({ position, bucket, hash, body }) => {
      const question = toQuestionHash(JSON.parse(body) as ChatRow);
      return { position, bucket, hash, question };
    });
  };
  let [before, after] = [await read(other), await read(id)];
  const takePairs = (key: 'hash' | 'question') => {
    const waiting = new Map<string, typeof before>();
    for (const row of before) waiting.set(row[key], [...(waiting.get(row[key]) ?? []), row]);
    const pairs = after.flatMap((row) => {
      const partner = waiting.get(row[key])?.shift();
      return partner ? [[partner, row] as const] : [];
    });
    const taken = new Set(pairs.flat());
    [before, after] = [before, after].map((rows) => rows.filter((row) => !taken.has(row))) as [
      typeof before,
      typeof after,
    ];
    return pairs;
  };
  const same = takePairs('hash');
  const changed = takePairs('question').map(([one, row]): [number, number] => [one.position, row.position]);
  const toPart = (rows: readonly { readonly position: number }[]) => ({
    count: rows.length,
    positions: rows.slice(0, 200).map(({ position }) => position),
  });
  const moved = same.filter(([one, row]) => one.bucket !== row.bucket).map(([, row]) => row);
  return {
    same_count: same.length,
    added: toPart(after),
    gone: toPart(before),
    changed: { count: changed.length, pairs: changed.slice(0, 200) },
    moved: toPart(moved),
  };
}

const toSide = (at: number): number => (at % 5 === 0 ? SIDE_CODES.validation : SIDE_CODES.training);
const { signal } = new AbortController();

async function withComparisons(run: (compare: CompareSnapshots) => Promise<void>, of = database): Promise<void> {
  const { compare, close } = openComparisons(of);
  await run(compare).finally(close);
}

it('tells what was added, is gone, changed and moved, as a look at all rows does', async () => {
  // Some rows are there several times, and both datasets have more blocks than are read at once.
  const mine = await addDataset(Array.from({ length: 3_000 }, (_, at) => toText(at % 2_900, at % 3)));
  const others = await addDataset(Array.from({ length: 2_700 }, (_, at) => toText(at + 250, at % 4)));
  const edited = [
    [7, toText(7, 99)],
    [1_900, toText(90_000, 1)],
  ] as const;
  const first = await addSnapshot(mine, { sides: toSides(2_800, toSide), edited: [] });
  const second = await addSnapshot(mine, {
    sides: toSides(3_000, (at) => (at % 100 === 1 ? SIDE_CODES.none : at > 2_000 ? SIDE_CODES.training : toSide(at))),
    edited,
  });
  const third = await addSnapshot(others, { sides: toSides(2_700, toSide), edited: [] });
  await withComparisons(async (compare) => {
    for (const [id, other] of [
      [second, first],
      [first, second],
      [third, second],
      [second, second],
    ] as const)
      expect(await compare(id, other, signal)).toEqual(await compareWhole(id, other));
    const { added, gone, changed, moved } = await compare(second, first, signal);
    for (const { count } of [added, gone, changed, moved]) expect(count).toBeGreaterThan(0);
  });
});

it('reads nothing more when nobody waits for it', async () => {
  const id = await addDataset(Array.from({ length: 6_000 }, (_, at) => toText(at, 1)));
  const snapshot = await addSnapshot(id, { sides: toSides(6_000, toSide), edited: [] });
  const leaving = new AbortController();
  let pages = 0;
  const watched: Database = {
    ...database,
    guard: (run) => {
      pages += 1;
      if (pages === 5) leaving.abort();
      return database.guard(run);
    },
  };
  await withComparisons(async (compare) => {
    await expect(compare(snapshot, snapshot, leaving.signal)).rejects.toThrow();
  }, watched);
  const atTheEnd = pages;
  await pause(100);
  expect(pages).toBe(atTheEnd);
  expect(pages).toBeLessThanOrEqual(6);
});
