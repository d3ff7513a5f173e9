// A training on the embedded database, which most tests of trainings don't use.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Engine } from '#engine/engine.ts';
import { openTestFolders } from '#service/database/folders.fixture.ts';
import { LOADS, modelsOf, openTestTraining, toTestTrainer } from './testTraining.fixture.ts';

it('cancel while its model is looked at leaves no model', async () => {
  const folders = await openTestFolders();
  onTestFinished(() => folders.remove());
  const dataDir = await folders.withDatabase('sample');
  let look: () => void = () => undefined;
  const looked = new Promise<void>((resolve) => {
    look = resolve;
  });
  const load: Engine['load'] = async (...given) => {
    await looked;
    return LOADS.load(...given);
  };
  const test = await openTestTraining({ dataDir, trainer: toTestTrainer(), engine: { load } });
  onTestFinished(async () => {
    look();
    await test.close();
    await test.studio.close();
  });
  // The trainer learns nothing, so that few rows are enough.
  await test.studio.database.executeSql('update studio.snapshots set rows_end = 300');
  const [id = ''] = await test.runsOf(await test.create());
  expect((await test.until(id, ({ status }) => status === 'deploying')).actions).toEqual(['cancel']);
  expect(await test.training.endRun(id, 'cancel')).toBe(true);
  expect(await test.training.findProgress(id, -1)).toMatchObject({
    status: 'deploying',
    actions: [],
    reason: 'It is being cancelled.',
  });
  look();
  expect(await test.until(id, ({ status }) => status === 'stopped')).toMatchObject({
    status: 'stopped',
    reason: 'Cancelled by a person.',
    actions: [],
  });
  // What is left of it goes after its status was told.
  await vi.waitFor(async () => expect(await readdir(join(dataDir, 'training'))).not.toContain(id), 10_000);
  await vi.waitFor(async () => expect(await modelsOf(test, id)).toEqual([]), 10_000);
});
