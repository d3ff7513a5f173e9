import { Readable } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { takeRun } from './fakeWorker.fixture.ts';
import { openTestTraining, QUICK } from './testTraining.fixture.ts';
import { keep } from '#service/files/keep.fixture.ts';
import { keepSample } from '#service/database/keepDatabase.fixture.ts';

const SILENCE_MS = 1_500;

const { dataDir, studio } = await keepSample();
await studio.database.executeSql('update studio.snapshots set rows_end = 40 where rows_end > 40');
const times = { ...QUICK, silenceMs: SILENCE_MS };
const test = await keep(openTestTraining({ dataDir, studio, trainer: null, times }));

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
