// A studio whose evaluations are full says so, and goes on when something is deleted.
import { expect, it } from 'vitest';
import { EVALUATIONS_PATH, keepTestRoom, PROJECT, RUNS_PATH } from './testRoom.fixture.ts';

const room = await keepTestRoom({ storedBytes: 4_000 });
const { database } = room;

const readBytes = async (): Promise<number[]> => {
  const { rows } = await database.executeSql(
    `select (select coalesce(sum(bytes), 0) from studio.evaluation_row_sets)::integer as rows,
            (select coalesce(sum(bytes), 0) from studio.evaluation_run_models)::integer as answers,
            (select coalesce(sum(octet_length(text)), 0) from studio.evaluation_answers)::integer as texts`,
    [],
  );
  const [{ rows: ofRows = 0, answers = 0, texts = 0 } = {}] = rows as Record<string, number>[];
  return [ofRows, answers, texts];
};

it('ends a run that fills the studio, refuses more with 507, and takes it again after a deletion', async () => {
  const rows = Array.from({ length: 6 }, (_, at) => ({ messages: [{ role: 'user', content: `${at}`.repeat(1_000) }] }));
  const { id } = await room.create({ rows, models: ['lower'], checks: [] });
  const run = await room.start(id);
  expect((await room.waitFor(run.id, 'completed')).done).toBe(6);
  const [ofRows = 0, answers, texts] = await readBytes();
  expect([ofRows > 0, answers, texts]).toEqual([true, 6_000, 6_000]);
  const full = { error: { code: 'evaluations_full', message: expect.stringContaining('4 kB') } };
  const again = await room.send('POST', `${EVALUATIONS_PATH}/${id}/runs`, {});
  expect(again.status).toBe(507);
  expect(again.json()).toMatchObject(full);
  const body = { project_id: PROJECT, name: 'More', source: { kind: 'rows' }, rows };
  expect((await room.send('POST', EVALUATIONS_PATH, body)).status).toBe(507);
  await room.send('DELETE', `${RUNS_PATH}/${run.id}`);
  expect((await readBytes())[1]).toBe(0);
  // Answers come two hundred milliseconds apart at least: the first are stored, the others are one too many.
  room.engine.delayMs = 300;
  const slow = await room.start(id, { repeats: 3 });
  const failed = await room.waitFor(slow.id, 'failed');
  expect(failed.reason).toMatch(/^It could not go on: The evaluations of this studio have more than/);
  expect(failed.done).toBeLessThan(18);
});

it('counts what is forgotten no more', async () => {
  const { rows } = await database.executeSql(`select id from studio.evaluation_runs`, []);
  for (const { id } of rows as { id: string }[]) await room.send('DELETE', `${RUNS_PATH}/${id}`);
  room.engine.delayMs = 0;
  const long = { messages: [{ role: 'user', content: 'x'.repeat(200_001) }] };
  const { id } = await room.create({ rows: [long], models: ['lower'], checks: [] });
  const run = await room.start(id);
  await room.waitFor(run.id, 'completed');
  expect((await readBytes())[1]).toBe(1_000);
  room.engine.fault = () => new Error('It broke.');
  await room.send('POST', `${RUNS_PATH}/${run.id}/resume`);
  await room.waitFor(run.id, 'completed');
  expect((await readBytes())[1]).toBe(0);
});
