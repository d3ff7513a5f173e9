// Several services on one database compute recommendations: each once, in the order in which they were asked for.
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  openRecommendationJobs,
  type RecommendationJobs,
  type RecommendationJobsOptions,
} from './recommendationJobs.ts';
import type { RecommendationBody } from '#service/database/tables.ts';
import { toUuid } from '#service/database/uuid.ts';
import { keepDatabase } from '#service/database/keepDatabase.fixture.ts';

const LEASE_MS = 1_000;
const [TRIAGE, ORDERS, REPLIES] = ['triage', 'orders', 'replies'].map((name) =>
  toUuid(`support-desk/${name}/snapshot-1`),
) as [string, string, string];
const NOTHING: RecommendationBody = { recommended_models: [], recommended_experiments: [] };

const database = await keepDatabase('sample');

let open: RecommendationJobs[] = [];
const warnings: string[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
  await database.executeSql('delete from studio.recommendations');
  expect((await database.executeSql('select * from studio.leases')).rows).toEqual([]);
  expect(warnings.splice(0)).toEqual([]);
});
async function openService(
  compute: RecommendationJobsOptions['compute'],
  more: Partial<RecommendationJobsOptions> = {},
): Promise<RecommendationJobs> {
  const service = await openRecommendationJobs({
    database,
    compute,
    now: () => new Date(),
    onWarning: (text) => warnings.push(text),
    leaseMs: LEASE_MS,
    ...more,
  });
  open.push(service);
  return service;
}

const read = async (snapshotId: string): Promise<Record<string, unknown>> =>
  (
    await database.executeSql(
      'select status, attempts, error, body from studio.recommendations where snapshot_id = $1',
      [snapshotId],
    )
  ).rows[0] as Record<string, unknown>;
const until = (snapshotId: string, status: string) =>
  vi.waitFor(async () => expect(await read(snapshotId)).toMatchObject({ status }), { timeout: 30_000, interval: 50 });

/** A promise that is kept from outside. */
function openGate() {
  let pass = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    pass = resolve;
  });
  return { passed, pass: () => pass() };
}

it('each is computed once, the first asked for first', async () => {
  const begun: string[] = [];
  const gate = openGate();
  const compute = async (id: string): Promise<RecommendationBody> => {
    begun.push(id);
    await gate.passed;
    return NOTHING;
  };
  const [here] = [await openService(compute), await openService(compute)];
  for (const id of [TRIAGE, ORDERS, REPLIES]) await here.find(id);
  await vi.waitFor(() => expect(begun).toEqual([TRIAGE, ORDERS]), { timeout: 20_000 });
  // Much longer than a lease.
  await new Promise((resolve) => setTimeout(resolve, 3 * LEASE_MS));
  expect(begun).toEqual([TRIAGE, ORDERS]);
  gate.pass();
  for (const id of [TRIAGE, ORDERS, REPLIES]) await until(id, 'completed');
  expect(begun).toEqual([TRIAGE, ORDERS, REPLIES]);
  expect((await read(TRIAGE))['attempts']).toBe(1);
});

it('is tried again a second later, at most three times, while others have their turn', async () => {
  const begun: [string, number][] = [];
  const service = await openService(async (id) => {
    begun.push([id, performance.now()]);
    if (id === TRIAGE) throw new Error('no luck');
    return NOTHING;
  });
  await service.find(TRIAGE);
  await service.find(ORDERS);
  await until(TRIAGE, 'failed');
  expect(begun.map(([id]) => id)).toEqual([TRIAGE, ORDERS, TRIAGE, TRIAGE]);
  const times = begun.filter(([id]) => id === TRIAGE).map(([, at]) => at);
  expect([times[1]! - times[0]! >= 990, times[2]! - times[1]! >= 990]).toEqual([true, true]);
  expect(await read(TRIAGE)).toMatchObject({ attempts: 3, error: 'no luck' });
});

describe('a service that falls silent', () => {
  it('loses what it computes to another one, and its own result comes too late', async () => {
    if (!database.isShared) return expect(database.copy).toBeDefined();
    const [silent, gate] = [openGate(), openGate()];
    const first = await openService(async () => {
      // Its lease is over, and renewed no more.
      await database.executeSql("update studio.leases set until = now() - interval '1 hour', fence = default");
      silent.pass();
      await gate.passed;
      return { ...NOTHING, recommended_experiments: ['of the first'] } as never;
    });
    await first.find(TRIAGE);
    await silent.passed;
    await openService(async () => ({ ...NOTHING, recommended_experiments: ['of the second'] }) as never);
    await until(TRIAGE, 'completed');
    gate.pass();
    await first.close();
    expect(await read(TRIAGE)).toMatchObject({
      attempts: 2,
      body: { recommended_experiments: ['of the second'] },
    });
    return undefined;
  });

  it('goes on if nobody has taken it over', async () => {
    const service = await openService(async () => {
      await database.executeSql("update studio.leases set until = now() - interval '1 hour'");
      return NOTHING;
    });
    await service.find(TRIAGE);
    await until(TRIAGE, 'completed');
    expect(await read(TRIAGE)).toMatchObject({ attempts: 1 });
  });
});
