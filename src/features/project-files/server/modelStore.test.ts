// Files of models of an import that another service has taken over. What else the store does: transferRoutes.hostile.test.ts.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Orm } from '#service/database/database.ts';
import { LeaseLost } from '#service/database/leases/holdLease.ts';
import { toSamplePath } from '#features/projects/server/sampleFiles.ts';
import { openModelStore } from './modelStore.ts';
import { keepFolders } from '#service/database/keepDatabase.fixture.ts';

const folders = await keepFolders();

it('weights of an import that is lost get no name, and do not take away those that are written there now', async () => {
  const dataDir = await folders.empty();
  mkdirSync(join(dataDir, 'models'));
  let isLost = false;
  const store = openModelStore({
    orm: {} as Orm,
    dataDir,
    async write(work) {
      if (isLost) throw new LeaseLost();
      return work({} as Orm);
    },
  });
  const place = join('models', 'ft-a-00000001.gguf');
  const [late, cancelled] = [await store.openFile(place, null, 'gguf'), await store.openFile(place, null, 'gguf')];
  await late.write(readFileSync(toSamplePath('support-base.Q8_0.gguf')));
  isLost = true;
  const again = readFileSync(toSamplePath('support-triage-2.Q8_0.gguf'));
  writeFileSync(join(dataDir, `${place}.part`), again);
  await expect(late.finish()).rejects.toThrow(LeaseLost);
  await cancelled.drop();
  expect(readdirSync(join(dataDir, 'models'))).toEqual(['ft-a-00000001.gguf.part']);
  expect(readFileSync(join(dataDir, `${place}.part`)).equals(again)).toBe(true);
});
