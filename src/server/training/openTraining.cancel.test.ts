import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Engine } from '#server/engine/engine.ts';
import { openTestFolders, type TestFolders } from '#server/studio/folders.fixture.ts';
import { openTestTraining, toTestTrainer } from './testTraining.fixture.ts';

let folders: TestFolders;
let dataDir: string;
beforeAll(async () => {
  folders = await openTestFolders();
  dataDir = await folders.withDatabase('sample');
}, 60_000);
afterAll(() => folders.remove());

it('cancel while its model is looked at leaves no model', async () => {
  let look: () => void = () => undefined;
  const looked = new Promise<void>((resolve) => {
    look = resolve;
  });
  const load: Engine['load'] = async (id) => {
    await looked;
    return { id, fingerprint: null, generate: () => ({ async *[Symbol.asyncIterator]() {} }) };
  };
  const test = await openTestTraining({ dataDir, trainer: toTestTrainer(), engine: { load } });
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
  const models = (await test.studio.listModelFiles()).map((file) => file.id);
  expect(models.filter((model) => model.includes(id.slice(0, 8)))).toEqual([]);
  await vi.waitFor(async () => expect(await readdir(join(dataDir, 'training'))).not.toContain(id), 10_000);
  await test.close();
  await test.studio.close();
});
