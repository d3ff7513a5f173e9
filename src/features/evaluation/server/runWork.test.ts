// What becomes of a run when engines fail, the service is killed, or somebody cancels it.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { EngineError } from '#engine/engine.ts';
import type { Database } from '#service/database/database.ts';
import { keepDatabase } from '#service/database/keepDatabase.fixture.ts';
import { DatabaseUnavailable } from '#service/database/unavailable.ts';
import { createEvaluation } from './evaluations.ts';
import type { AnswerPage } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import {
  EVALUATIONS_PATH,
  fillTables,
  openFakeEngine,
  openTestEvaluations,
  openTestRoom,
  PROJECT,
  RUNS_PATH,
  TIMING,
  type TestRoom,
} from './testRoom.fixture.ts';

const database = await keepDatabase();
await fillTables(database);

const read = async (sql: string, values: readonly unknown[]): Promise<Record<string, unknown>[]> =>
  (await database.executeSql(sql, values)).rows as Record<string, unknown>[];

/** The database of a service: after `kill` it answers nothing, as to a process that is gone. */
function openKillable(): { readonly mortal: Database; kill(): void } {
  let isKilled = false;
  const orm = new Proxy(database.orm, {
    get(target, name) {
      if (isKilled) throw new DatabaseUnavailable('It was killed.');
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { mortal: { ...database, orm, isShared: false, guard: (run) => run() }, kill: () => (isKilled = true) };
}

/** A room that puts runs aside for 90 s of its own clock, until the end of the test. */
async function openAsideRoom() {
  const clock = { ms: 0 };
  const other = await openTestRoom(database, {
    timing: { ...TIMING, patienceMs: 50, asideMs: 90_000 },
    now: () => new Date(Date.now() + clock.ms),
    pollMs: 20,
  });
  onTestFinished(() => other.close());
  return { other, clock };
}

it('a changed check judges the answers that are still in memory, as it judges those of the database', async () => {
  const room = await openTestRoom(database);
  const { id, revision } = await room.create({ repeats: 2, settings: { temperature: 1 } });
  const run = await room.start(id);
  await room.waitFor(run.id, 'completed');
  const checks = [
    { id: 'same', kind: 'similarity', threshold: 0.9 },
    { id: 'loud', kind: 'regex', expected: '^[A-Z]+$' },
  ];
  await room.send('PUT', `${EVALUATIONS_PATH}/${id}`, { revision, checks });
  const judge = async (by: TestRoom) => {
    await by.send('POST', `${RUNS_PATH}/${run.id}/rescore`);
    await by.waitFor(run.id, 'completed');
    return (await by.send('GET', `${RUNS_PATH}/${run.id}/answers`)).json() as AnswerPage;
  };
  const move = (from: string, to: string) =>
    database.executeSql('update studio.evaluation_answers set text = $3 where run_id = $1 and text = $2', [
      run.id,
      from,
      to,
    ]);
  await move('ONE', 'away');
  const kept = await judge(room);
  await room.close();
  await move('away', 'ONE');
  await database.executeSql('delete from studio.evaluation_verdicts where run_id = $1', [run.id]);
  const later = await openTestRoom(database);
  const read = await judge(later);
  await later.close();
  const toVerdicts = ({ rows }: AnswerPage) => rows.map(({ answers }) => answers.map(({ verdicts }) => verdicts));
  expect(toVerdicts(kept)).toEqual(toVerdicts(read));
  expect(toVerdicts(read)[0]?.[0]).toEqual([
    { scorer: 'same', outcome: 'pass', score: 1, reason: null },
    { scorer: 'loud', outcome: 'pass', score: 1, reason: null },
  ]);
  expect(toVerdicts(read)[0]?.[2]).toMatchObject([
    { outcome: 'fail', score: 0 },
    { reason: expect.stringContaining('^[A-Z]') },
  ]);
});

it('a service that is killed fifty times in a run loses no answer, and stores none twice', async () => {
  const ROWS = 300;
  const engine = openFakeEngine();
  engine.delayMs = 1;
  const first = await openTestEvaluations(database, engine);
  const rows = Array.from({ length: ROWS }, (_, at) => ({
    messages: [{ role: 'user' as const, content: `Row ${at}` }],
    expected: `ROW ${at}`,
  }));
  const { id: evaluationId } = await createEvaluation(
    first.deps,
    {
      project_id: PROJECT,
      name: 'Kills',
      source: { kind: 'rows' },
      rows,
      models: ['upper', 'lower'],
      repeats: 2,
      checks: [{ id: 'same', kind: 'exact' }],
    },
    null,
  );
  const { id } = await first.start(evaluationId, {}, null);
  await first.close();
  let kills = 0;
  for (; kills < 50; kills += 1) {
    const { mortal, kill } = openKillable();
    const room = await openTestEvaluations(mortal, engine);
    await pause(5 + (kills % 7) * 5);
    kill();
    await room.close();
  }
  const last = await openTestEvaluations(database, engine);
  while ((await last.read(id)).status !== 'completed') await pause(20);
  const run = await last.read(id);
  await last.close();
  expect(run).toMatchObject({ done: 4 * ROWS, failed: 0, judged: 4 * ROWS });
  expect(run.models.map(({ rate }) => rate.passed)).toEqual([2 * ROWS, 0]);
  expect(run.models.map(({ prompt_tokens }) => prompt_tokens)).toEqual([14 * ROWS, 14 * ROWS]);
  const [stored] = await read(
    `select count(*)::integer as all, count(distinct (model, position, repeat))::integer as places
     from studio.evaluation_answers where run_id = $1`,
    [id],
  );
  expect(stored).toEqual({ all: 4 * ROWS, places: 4 * ROWS });
}, 120_000);

describe('a run whose engine fails', () => {
  let room: TestRoom;
  beforeAll(async () => {
    room = await openTestRoom(database);
  });
  afterAll(() => room.close());
  beforeEach(() => {
    room.engine.fault = null;
    room.engine.delayMs = 0;
  });

  it('waits while the engine is busy, and goes on', async () => {
    let left = 3;
    room.engine.fault = () =>
      (left -= 1) >= 0 ? new EngineError('The queue is full.', 429, 'queue_full', null, '0.2') : null;
    const { id } = await room.start((await room.create({ models: ['upper'] })).id);
    const waiting = await room.waitFor(id, 'waiting');
    expect(waiting.reason).toBe('The queue is full.');
    expect(await room.waitFor(id, 'completed')).toMatchObject({ done: 2, failed: 0, reason: null });
  });

  it('is put aside while its engine is away, lets others go on, and is taken up again', async () => {
    const { other, clock } = await openAsideRoom();
    const isAway = { value: true };
    other.engine.fault = ({ model }) =>
      isAway.value && model === 'copy' ? new EngineError('It can’t be reached.', 503, 'engine_unreachable') : null;
    const { id: away } = await other.start((await other.create({ models: ['copy', 'upper'] })).id);
    const putAside = async (id: string) => {
      for (;;) {
        const run = await other.evaluations.read(id);
        if (run.next_try_at !== null) return run;
        await pause(20);
      }
    };
    const waiting = await putAside(away);
    expect(waiting).toMatchObject({ reason: 'It can’t be reached.', models: [{ done: 0 }, { done: 2 }] });
    expect(Date.parse(waiting.next_try_at ?? '') - Date.now()).toBeGreaterThan(80_000);
    const { id: next } = await other.start((await other.create({ models: ['upper'] })).id);
    expect(await other.waitFor(next, 'completed')).toMatchObject({ done: 2, next_try_at: null });
    const judge = { id: 'judge', kind: 'judge', model: 'copy', rubric: 'The answer is loud.' };
    const { id: judged } = await other.start((await other.create({ models: ['upper'], checks: [judge] })).id);
    expect((await putAside(judged)).reason).toBe('The judge copy gave no verdict: It can’t be reached.');
    isAway.value = false;
    clock.ms = 100_000;
    expect(await other.waitFor(away, 'completed')).toMatchObject({ done: 4, failed: 0, reason: null });
    expect(await other.waitFor(judged, 'completed')).toMatchObject({ done: 2, judged: 2 });
  });

  it('keeps the verdicts of checks and of a judge that goes away, and why another model was given up', async () => {
    const { other, clock } = await openAsideRoom();
    const isAway = { value: true };
    let judged = 0;
    other.engine.fault = ({ model }) =>
      model === 'judge' && isAway.value && (judged += 1) > 3
        ? new EngineError('It can’t be reached.', 503, 'engine_unreachable')
        : null;
    const rows = Array.from({ length: 300 }, (_, at) => ({
      messages: [{ role: 'user', content: `${at}` }],
      expected: '',
    }));
    const checks = [
      { id: 'judge', kind: 'judge', model: 'judge', rubric: 'The answer is loud.' },
      { id: 'same', kind: 'exact' },
    ];
    const { id } = await other.start((await other.create({ rows, models: ['gone', 'upper'], checks })).id);
    const countVerdicts = () =>
      read(
        `select scorer, sum(length(replace(outcomes, ' ', '')))::integer as verdicts from studio.evaluation_verdicts
         where run_id = $1 group by scorer order by scorer`,
        [id],
      );
    let waiting = await other.evaluations.read(id);
    while (waiting.next_try_at === null) {
      await pause(20);
      waiting = await other.evaluations.read(id);
    }
    expect(waiting.reason).toMatch(/^The judge judge gave no verdict: It can’t be reached\. gone: 20 rows/);
    expect(await countVerdicts()).toEqual([
      { scorer: 'judge', verdicts: 3 },
      { scorer: 'same', verdicts: 300 },
    ]);
    const burnt = waiting.models[0]?.failed;
    isAway.value = false;
    clock.ms = 100_000;
    const ended = await other.waitFor(id, 'failed');
    expect(ended.reason).toMatch(/^gone: 20 rows .* There is no model "gone" here now\.$/);
    expect(ended.models[0]?.failed).toBe(burnt);
    expect((await countVerdicts())[0]).toEqual({ scorer: 'judge', verdicts: 300 });
  });

  it('tries again after a fault, and keeps why a row has no answer', async () => {
    let asked = 0;
    room.engine.fault = ({ messages }) => {
      if (messages[0]?.content !== 'One') return null;
      asked += 1;
      return new EngineError('It broke.', 500, 'generation_failed');
    };
    const { id } = await room.start((await room.create({ models: ['upper'] })).id);
    expect(await room.waitFor(id, 'completed')).toMatchObject({ done: 1, failed: 1 });
    expect(asked).toBe(3);
    const page = (await room.send('GET', `${RUNS_PATH}/${id}/answers?outcome=error`)).json();
    expect(page).toMatchObject({
      total: 1,
      rows: [{ position: 0, answers: [{ state: 'failed', error: 'It broke.', outcome: null }] }],
    });
    room.engine.fault = null;
    expect((await room.send('POST', `${RUNS_PATH}/${id}/resume`)).status).toBe(200);
    expect(await room.waitFor(id, 'completed')).toMatchObject({ done: 2, failed: 0 });
    expect((await room.send('POST', `${RUNS_PATH}/${id}/resume`)).json()).toMatchObject({
      error: { code: 'run_complete' },
    });
  });

  it('asks a model no more that gives the same failure twenty times, and goes on with the others', async () => {
    const rows = Array.from({ length: 60 }, (_, at) => ({ messages: [{ role: 'user', content: `${at}` }] }));
    const { id } = await room.start((await room.create({ rows, models: ['gone', 'lower'] })).id);
    const run = await room.waitFor(id, 'failed');
    expect(run.reason).toMatch(/^gone: 20 rows one after another got no answer.*There is no model "gone" here now\.$/);
    expect(run.models[1]).toMatchObject({ done: 60, failed: 0 });
    expect(run.models[0]?.failed).toBeLessThan(30);
  });

  it('is cancelled while it goes on, keeps its answers, and goes on again', async () => {
    room.engine.delayMs = 20;
    const rows = Array.from({ length: 100 }, (_, at) => ({ messages: [{ role: 'user', content: `${at}` }] }));
    const { id } = await room.start((await room.create({ rows, models: ['lower'] })).id);
    while (((await room.evaluations.read(id)).done ?? 0) === 0) await pause(20);
    expect((await room.send('POST', `${RUNS_PATH}/${id}/cancel`)).json()).toMatchObject({ status: 'cancelled' });
    await pause(300);
    const { done } = await room.evaluations.read(id);
    expect(done).toBeLessThan(100);
    expect((await room.send('POST', `${RUNS_PATH}/${id}/cancel`)).json()).toMatchObject({
      error: { code: 'run_ended' },
    });
    room.engine.delayMs = 0;
    await room.send('POST', `${RUNS_PATH}/${id}/resume`);
    expect(await room.waitFor(id, 'completed')).toMatchObject({ done: 100 });
    expect(room.engine.most).toBeLessThanOrEqual(8);
  });

  it('keeps an answer out that is longer than a studio stores', async () => {
    const rows = [{ messages: [{ role: 'user', content: 'x'.repeat(200_001) }] }];
    const { id } = await room.start((await room.create({ rows, models: ['lower'] })).id);
    const page = await room.waitFor(id, 'completed').then(() => room.send('GET', `${RUNS_PATH}/${id}/answers`));
    expect(page.json()).toMatchObject({
      rows: [{ answers: [{ error: expect.stringMatching(/longer than 200,000 characters/) }] }],
    });
  });
});
