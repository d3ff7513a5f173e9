import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Database } from '#service/database/database.ts';
import { keepDatabase } from '#service/database/keepDatabase.fixture.ts';
import { LeaseLost } from './holdLease.ts';
import { openLeases, type HeldLease, type Lease, type Leases } from './leases.ts';

const MS = 15_000;

let here: Leases;
let there: Leases;
const database = await keepDatabase();
[here, there] = [openLeases(database, 'import', MS), openLeases(database, 'import', MS)];
let held: HeldLease[] = [];
afterEach(async () => {
  for (const each of held.splice(0)) each.stop();
  await database.executeSql('delete from studio.leases');
});

const take = (leases: Leases, id: string): Promise<Lease | null> => leases.take(database.orm, id);
async function hold(leases: Leases, id: string): Promise<HeldLease> {
  const lease = (await take(leases, id))!;
  const opened = leases.hold(lease);
  held.push(opened);
  return opened;
}
/** As if so many seconds had passed since all leases were renewed. */
const age = (seconds: number): Promise<unknown> =>
  database.executeSql(`update studio.leases set until = until - interval '${seconds} seconds'`);
async function endOver(leases: Leases): Promise<string[]> {
  const ended: string[] = [];
  await leases.endOver(async (id) => void ended.push(id));
  return ended;
}
const read = async (id: string): Promise<object | undefined> =>
  (
    await database.executeSql(
      `select fence::integer, detail, owner is null as is_given_up,
         round(extract(epoch from until - clock_timestamp()))::integer as seconds from studio.leases where id = $1`,
      [id],
    )
  ).rows[0] as object | undefined;

it('one of many takes it, and others when it is over or released', async () => {
  const id = randomUUID();
  const all = await Promise.all([here, there, here, there].map((each) => take(each, id)));
  const [first, ...more] = all.filter((lease) => lease !== null);
  expect(more).toEqual([]);
  expect(await read(id)).toMatchObject({ fence: first!.fence, seconds: 15 });
  await age(14);
  expect(await take(there, id)).toBeNull();
  await age(2);
  const second = await take(there, id);
  expect(second!.fence).toBeGreaterThan(first!.fence);
  await there.release(database.orm, second!);
  // Never the number of a holder before.
  expect((await take(here, id))!.fence).toBeGreaterThan(second!.fence);
});

it('leases of different kinds have nothing to do with each other', async () => {
  const id = randomUUID();
  const other = openLeases(database, 'transfer', MS);
  expect(await take(here, id)).not.toBeNull();
  expect(await other.take(database.orm, id)).not.toBeNull();
  await age(20);
  expect(await endOver(here)).toEqual([id]);
  expect(await take(here, id)).not.toBeNull();
  expect(await endOver(other)).toEqual([id]);
});

it('only its holder renews it, releases it and gives it up', async () => {
  const id = randomUUID();
  const stale = (await take(here, id))!;
  await age(20);
  const lease = (await there.take(database.orm, id, { n: 1 }))!;
  expect(await here.renew(database.orm, stale)).toBe(false);
  await here.release(database.orm, stale);
  await here.hold(stale).leave(database.orm, 0);
  await age(5);
  expect(await read(id)).toMatchObject({ fence: lease.fence, detail: { n: 1 }, seconds: 10, is_given_up: false });
  expect(await there.renew(database.orm, lease, { n: 2 })).toBe(true);
  expect(await read(id)).toMatchObject({ detail: { n: 2 }, seconds: 15 });
  await there.hold(lease).leave(database.orm, 2_000);
  expect(await read(id)).toMatchObject({ detail: { n: 2 }, seconds: 2, is_given_up: true });
});

it('a renewal of a lease that is over revives it, if nobody has taken it', async () => {
  const id = randomUUID();
  const lease = (await take(here, id))!;
  await age(20);
  expect(await here.renew(database.orm, lease)).toBe(true);
  expect(await take(there, id)).toBeNull();
});

it('the clock of a service does not matter', async () => {
  // An embedded database has that of its one service.
  if (!database.isShared) return expect(database.copy).toBeDefined();
  const id = randomUUID();
  await take(here, id);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
  expect([await take(there, id), await endOver(there)]).toEqual([null, []]);
  vi.useRealTimers();
  return undefined;
});

describe('what its holder writes', () => {
  const count = async (): Promise<number> =>
    ((await database.executeSql('select count(*)::integer as n from studio.projects')).rows[0] as { n: number }).n;
  const addProject = (orm: Database['orm']): Promise<unknown> =>
    orm.execute(
      `insert into studio.projects (id, name, created_at) values ('${randomUUID()}', 'written', clock_timestamp())`,
    );

  it('is refused as a whole once another has taken over, and also after it was released', async () => {
    const id = randomUUID();
    const before = await count();
    const lease = await hold(here, id);
    await lease.write(addProject);
    expect(await count()).toBe(before + 1);
    await age(20);
    // Over, but nobody else's.
    await lease.write(addProject);
    const next = await hold(there, id);
    await expect(lease.write(addProject)).rejects.toThrow(LeaseLost);
    await next.write((orm) => next.release(orm));
    await expect(next.write(addProject)).rejects.toThrow(LeaseLost);
    expect(await count()).toBe(before + 2);
  });

  it('does not let others take over in between, but lets it be renewed', async () => {
    if (!database.isShared) return expect(database.copy).toBeDefined();
    const id = randomUUID();
    const lease = await hold(here, id);
    const stale = (await read(id)) as { fence: number };
    await age(20);
    const said: string[] = [];
    let taking: Promise<unknown> = Promise.resolve();
    await lease.write(async (orm) => {
      taking = take(there, id).then((taken) => said.push(taken === null ? 'refused' : 'taken'));
      await new Promise((resolve) => setTimeout(resolve, 300));
      await here.renew(database.orm, { id, fence: stale.fence, askedAt: 0 });
      said.push('renewed');
      await addProject(orm);
      said.push('written');
    });
    await taking;
    expect(said).toEqual(['renewed', 'written', 'refused']);
    return undefined;
  });
});

describe('a service that slept for longer than its leases', () => {
  it('does not take what it holds itself for left behind', async () => {
    const id = randomUUID();
    const lease = await hold(here, id);
    await age(66);
    expect([await endOver(here), await take(here, id)]).toEqual([[], null]);
    await here.removeOver();
    expect(lease.isLost()).toBe(false);
    await lease.assertHeld(database.orm);
    // What it could not end by itself it ends later.
    lease.stop();
    expect(await endOver(here)).toEqual([id]);
  });
});

it('leases of a former process are over at once on an embedded database, but not those of machines elsewhere', async () => {
  const [own, elsewhere] = [randomUUID(), randomUUID()];
  await take(here, own);
  await here.take(database.orm, elsewhere, { machine: 'gpu-1' });
  await there.endFormer();
  expect(await endOver(there)).toEqual(database.isShared ? [] : [own]);
});
