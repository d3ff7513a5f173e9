import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openTestFolders, type TestFolders } from '#service/database/folders.fixture.ts';
import { takeRun } from './fakeWorker.fixture.ts';
import { openTestTraining, QUICK, type TestTraining } from './testTraining.fixture.ts';

const SILENCE_MS = 1_500;

let folders: TestFolders;
let test: TestTraining;
beforeAll(async () => {
  folders = await openTestFolders();
  const dataDir = await folders.withDatabase('sample');
  test = await openTestTraining({ dataDir, trainer: null, times: { ...QUICK, silenceMs: SILENCE_MS } });
  await test.studio.database.executeSql('update studio.snapshots set rows_end = 40 where rows_end > 40');
}, 60_000);
afterAll(async () => {
  await test.close();
  await test.studio.close();
  await folders.remove();
});

it('a file that takes longer to arrive than a trainer may be silent is a sign of life, and then silence is none', async () => {
  const [id = ''] = await test.runsOf(await test.create());
  const worker = await takeRun(test.training.workers);
  await worker?.trainTo(1);
  async function* arriveSlowly() {
    for (let left = 12; left > 0; left -= 1) {
      await new Promise((resolve) => {
        setTimeout(resolve, SILENCE_MS / 6);
      });
      yield Buffer.from('weights');
    }
  }
  const key = { id: worker?.lease.lease_id ?? '', run: null };
  const body = Readable.from(arriveSlowly());
  await test.training.workers.receive(key, { name: 'model.gguf', kind: 'result', bytes: null, body });
  expect((await test.training.findProgress(id, -1))?.status).toBe('running');
  await vi.waitFor(async () => {
    await worker?.say();
    expect((await test.training.findProgress(id, -1))?.reason).toMatch(/wrote nothing for 2 s/);
  }, 20_000);
}, 60_000);
