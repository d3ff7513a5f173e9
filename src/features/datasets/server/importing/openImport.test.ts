import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keepDatabase } from '#service/database/keepDatabase.fixture.ts';
import type { Leases } from '#service/database/leases/leases.ts';
import { ImportCancelled, ImportLost } from './importFailures.ts';
import { cancelImport, openImportLeases, removeImport } from './importLeases.ts';
import { openImport, type Import } from './openImport.ts';

const PROJECT = randomUUID();
const PLACE = { name: 'Rows', project_id: PROJECT };
const SETTINGS = { form: null, bad_lines: 'refuse' } as const;

const database = await keepDatabase();
await database.executeSql(`insert into studio.projects (id, name, created_at) values ('${PROJECT}', 'Ours', now())`);

/** Those of two services. */
let here: Leases;
let there: Leases;
let id: string;
let started: Import;
beforeEach(async () => {
  [here, there] = [openImportLeases(database), openImportLeases(database)];
  id = randomUUID();
  const how = { place: PLACE, settings: SETTINGS, fileName: 'rows.jsonl', total: null };
  started = await openImport({ database, leases: here, now: () => new Date() }, id, how);
  await started.write(toRows(1_000));
});
afterEach(async () => {
  await started.cancel();
  expect(await count('imports')).toBe(0);
  expect(await count('leases')).toBe(0);
});

const toRows = (rows: number): Uint8Array =>
  Buffer.from(
    Array.from({ length: rows }, (_, at) => {
      const messages = [
        { role: 'user', content: `Question ${at}` },
        { role: 'assistant', content: 'Yes.' },
      ];
      return `${JSON.stringify({ messages })}\n`;
    }).join(''),
  );
const count = async (table: string): Promise<number> =>
  ((await database.executeSql(`select count(*)::integer as n from studio.${table}`)).rows[0] as { n: number }).n;
const countOwn = async (): Promise<number[]> =>
  Promise.all([`datasets where id = '${id}'`, `row_blocks where dataset_id = '${id}'`].map((from) => count(from)));
/** As a service does every minute. */
const removeDead = (leases: Leases): Promise<void> => leases.endOver((dead) => removeImport(database, dead));
const age = (seconds: number): Promise<unknown> =>
  database.executeSql(`update studio.leases set until = until - interval '${seconds} seconds'`);

it('an import that says something every minute is nobody else’s to remove', async () => {
  await age(59);
  await removeDead(there);
  await started.write(toRows(1_000));
  expect(await started.finish(PLACE, SETTINGS)).toMatchObject({ rows: 2_000 });
  expect((await countOwn())[0]).toBe(1);
});

it('a service that slept does not remove an import of its own, which goes on', async () => {
  await age(66);
  await removeDead(here);
  await started.write(toRows(1_000));
  expect(await started.finish(PLACE, SETTINGS)).toMatchObject({ rows: 2_000 });
});

it('an import that another service has removed says so, and writes nothing any more', async () => {
  // An embedded database has one service.
  if (!database.isShared) return expect(database.copy).toBeDefined();
  await age(66);
  await removeDead(there);
  expect(await countOwn()).toEqual([0, 0]);
  const late = started.write(toRows(100_000)).then(() => started.finish(PLACE, SETTINGS));
  const error: unknown = await late.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ImportLost);
  expect((error as Error).message).toMatch(/lost contact .*Upload the file again\.$/);
  await started.cancel();
  expect(await countOwn()).toEqual([0, 0]);
  return undefined;
});

it('only an import that a person cancelled says that it was', async () => {
  expect(await cancelImport(database.orm, id)).toBe(true);
  await expect(started.finish(PLACE, SETTINGS)).rejects.toThrow(ImportCancelled);
  expect(await countOwn()).toEqual([0, 0]);
});

it('a dataset that is complete stays, though a lease of its import was left', async () => {
  await started.finish(PLACE, SETTINGS);
  await here.take(database.orm, id);
  await age(66);
  await removeDead(there);
  expect((await countOwn())[0]).toBe(1);
});
