import { expect, it } from 'vitest';
import { toUuid } from '#service/database/uuid.ts';
import { findFirstRun } from './firstRun.ts';
import { readTrainableBases } from './trainableBases.ts';
import { keepSample } from '#service/database/keepDatabase.fixture.ts';

const { dataDir, studio } = await keepSample();

it('runs that came in with a project say nothing of the speed of this machine; those that were made in it since do', async () => {
  const sql = (text: string) => studio.database.executeSql(text);
  await sql(`insert into studio.trainings (experiment_id, training_type, seed, tokens_per_step, step, seconds, ended_at)
    select id, 'full', 1, 1000, 100, 1, '2026-11-20' from studio.experiments where status = 'succeeded' limit 1`);
  const read = async () => {
    const { bases } = await readTrainableBases(studio.database.orm, await studio.listModelFiles(), null, { dataDir });
    return bases.find(({ id }) => id === 'support-base');
  };
  expect(await read()).toMatchObject({ finished_runs: 1, operations_per_second: expect.any(Number) as number });
  await sql(`update studio.projects set imported_at = '2026-11-21'`);
  expect(await read()).toMatchObject({ finished_runs: 0, operations_per_second: null });
  await sql(`update studio.trainings set ended_at = '2026-11-22'`);
  expect(await read()).toMatchObject({ finished_runs: 1 });
});

it('preferences go on from the best run that has learnt to answer the same prompts, and not from one that is deleted', async () => {
  const find = (dataset: string) => findFirstRun(studio.database, toUuid(`support-desk/${dataset}/snapshot-1`));
  const run = (number: number) => toUuid(`support-desk/replies/experiment-${number}`);
  expect(await find('preferences')).toBe(run(1));
  await studio.database.executeSql(`update studio.experiments set deleted_at = now() where id = '${run(1)}'`);
  expect(await find('preferences')).toBe(run(2));
  expect(await find('none')).toBeNull();
});
