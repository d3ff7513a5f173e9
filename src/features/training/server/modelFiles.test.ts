// Files of models in the data folder: no model ever gets the file of another. How a trained model takes its place in the list.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { IMPORTED } from '#engine/modelNames.ts';
import type { OpenedStudio } from '#app/server/openStudio.ts';
import type { Files } from '#service/files/files.ts';
import { SILENCE, silentFiles } from '#service/files/silent.fixture.ts';
import { toSamplePath } from '#features/projects/server/sampleFiles.ts';
import { openTestStudio } from '#service/database/testDatabase.fixture.ts';
import { deployModel, removeTried } from './deploy.ts';
import { claimModelFile, isOwnFile, listForms, removeModel, removeModelFiles, toFormFile } from './modelFiles.ts';
import type { QueuedRun } from './queue.ts';
import { keepFolders } from '#service/database/keepDatabase.fixture.ts';

let dataDir = '';
const folders = await keepFolders();
beforeEach(async () => {
  dataDir = await folders.empty();
});

const put = (...names: readonly string[]): void => {
  mkdirSync(join(dataDir, 'models'), { recursive: true });
  for (const name of names) writeFileSync(join(dataDir, 'models', name), name);
};
const list = (): string[] => readdirSync(join(dataDir, 'models')).toSorted();
const read = (name: string): string => readFileSync(join(dataDir, 'models', name), 'utf8');

describe('the file of a new model', () => {
  it('has the name of its model, and a number if another model made that name', async () => {
    expect(await claimModelFile(dataDir, 'ft-support/base-4da2acc4')).toBe('models/ft-support-base-4da2acc4.gguf');
    put('ft-support-base-4da2acc4.gguf');
    for (const [at, id] of [
      'ft-support-base-4da2acc4',
      'ft-support/base-4da2acc4',
      'ft-support base-4da2acc4',
    ].entries())
      expect(await claimModelFile(dataDir, id)).toBe(`models/ft-support-base-4da2acc4-${at + 2}.gguf`);
    expect(read('ft-support-base-4da2acc4.gguf')).toBe('ft-support-base-4da2acc4.gguf');
  });

  it('is another one for each of many that ask at the same time', async () => {
    const files = await Promise.all(Array.from({ length: 24 }, () => claimModelFile(dataDir, 'ft-a-00000001')));
    expect(new Set(files).size).toBe(24);
    expect(list()).toHaveLength(24);
  });

  it('has no name with which the file or another form of a model begins, in capitals or not', async () => {
    put('ft-qwen2.5-0.5b-1a2b3c4d.gguf', 'ft-B-1.merged-F16.gguf', 'ft-c-1.gguf.part');
    expect(await claimModelFile(dataDir, 'ft-qwen2')).toBe('models/ft-qwen2-2.gguf');
    expect(await claimModelFile(dataDir, 'ft-b-1')).toBe('models/ft-b-1-2.gguf');
    expect(await claimModelFile(dataDir, 'ft-c-1')).toBe('models/ft-c-1-2.gguf');
  });

  it('has a name without dots that a file system takes, however its model is called', async () => {
    for (const id of ['ft-Qwen/Qwen2.5-0.5B-1a2b3c4d', `ft-${'ü/..'.repeat(200)}`, 'ft-../../x', 'ft-a\0b']) {
      const file = await claimModelFile(dataDir, id);
      expect(isOwnFile(file)).toBe(true);
      expect(file).toMatch(/^models\/[\w-]{1,123}\.gguf$/);
    }
  });
});

it('other forms of a model are those beside its file, not the models whose names begin in the same way', async () => {
  put(
    'ft-qwen2.gguf',
    'ft-qwen2.5-0.5b-1a2b3c4d.gguf',
    'ft-qwen2.merged-F16.gguf',
    'ft-qwen2-2.gguf',
    'ft-qwen2.x.gguf.part',
  );
  expect(toFormFile('models/ft-qwen2.gguf', 'merged F16')).toBe('models/ft-qwen2.merged-F16.gguf');
  const forms = await listForms(join(dataDir, 'models', 'ft-qwen2.gguf'));
  expect(forms.map(({ format, bytes }) => [format, bytes])).toEqual([['merged F16', 24]]);
});

describe('on the list of models', () => {
  let studio: OpenedStudio;
  let runs: readonly string[] = [];
  beforeAll(async () => {
    studio = await openTestStudio({ dataDir: await folders.withDatabase('sample'), sample: true });
    const { rows } = await studio.database.executeSql('select id from studio.experiments order by id');
    runs = (rows as { id: string }[]).map(({ id }) => id);
  });
  afterAll(() => studio.close());

  const insert = (id: string, file: string, run: string, owner = 'studio') =>
    studio.database.executeSql(
      `insert into studio.models (id, position, experiment_id, file, adapter, aliases, owned_by, about, created_at)
       values ('${id}', 99, '${run}', '${file}', null, '[]', '${owner}', '', now())`,
    );
  const fileOf = async (id: string): Promise<string | undefined> =>
    (await studio.listModelFiles()).find((model) => model.id === id)?.path;
  const deploy = async (run: string, step?: number, source = 'support-base.Q8_0.gguf', disk?: Files) => {
    const output = await folders.empty();
    copyFileSync(toSamplePath(source), join(output, 'model.gguf'));
    const { orm } = studio.database;
    return deployModel(
      { check: () => undefined, write: (work) => orm.transaction(work) },
      { file: 'model.gguf', kind: 'gguf' },
      {
        dataDir,
        folder: { path: output, output, jobFile: '' },
        queued: { run: { id: run } } as QueuedRun,
        base: { id: 'org/base-1.5', file: null, adapter: null },
        disk,
        now: () => new Date(),
        ...(step !== undefined && { step }),
      },
    );
  };
  it('a model that a trainer left behind a link to a mount that hangs is not taken, and the reason is said', async () => {
    await expect(deploy(runs[0] ?? '', undefined, undefined, silentFiles)).rejects.toThrow(SILENCE);
  });

  const toShort = (run: string): string => run.slice(0, 8);

  it('a trained model takes neither the file nor the id of another, and replaces an older one of its run alone', async () => {
    const [run = '', other = ''] = runs;
    const short = toShort(run);
    put(`ft-org-base-1_5-${short}.gguf`);
    await insert(`ft-org/base-1.5-${short}`, `models/ft-org-base-1_5-${short}.gguf`, other, IMPORTED);
    const made = await deploy(run);
    expect(made).toEqual({ id: `ft-org/base-1.5-${short}-2`, file: `models/ft-org-base-1_5-${short}-2.gguf` });
    expect(read(`ft-org-base-1_5-${short}.gguf`)).toBe(`ft-org-base-1_5-${short}.gguf`);
    expect(await fileOf(`ft-org/base-1.5-${short}`)).toMatch(`models/ft-org-base-1_5-${short}.gguf`);
    const before = readFileSync(join(dataDir, made.file ?? ''));
    expect(await deploy(run, undefined, 'support-orders-2.Q8_0.gguf')).toEqual(made);
    expect(readFileSync(join(dataDir, made.file ?? '')).equals(before)).toBe(false);
    const tried = await deploy(run, 25);
    expect(tried).toEqual({
      id: `ft-org/base-1.5-${short}-step-25`,
      file: `models/ft-org-base-1_5-${short}-step-25.gguf`,
    });
    expect(list()).toHaveLength(3);
  });

  it('two models that are deployed at the same time, of runs whose ids begin alike, are two', async () => {
    const alike = ['1', '2'].map((last) => `11111111-0000-4000-8000-00000000000${last}`);
    for (const id of alike)
      await studio.database.executeSql(
        `insert into studio.experiments (id, job_id, experiment_number, label, status, base_model_id, lora, n_epochs, batch_size,
         learning_rate_multiplier, created_at) select '${id}', job_id, 9, '', 'running', '', false, 1, 1, 1, now()
         from studio.experiments limit 1`,
      );
    const made = await Promise.all(alike.map((run) => deploy(run)));
    expect(new Set(made.map(({ id }) => id))).toEqual(
      new Set(['ft-org/base-1.5-11111111', 'ft-org/base-1.5-11111111-2']),
    );
    for (const { id, file } of made) expect(await fileOf(id)).toMatch(file ?? '');
    expect(list()).toHaveLength(2);
  });

  it('a model that goes takes its own files along, and none that another model has', async () => {
    const [, run = ''] = runs;
    put('ft-mine-1.gguf', 'ft-mine-1.merged-F16.gguf', 'ft-other-2.gguf', 'ft-mine-1.5-9.gguf');
    await insert('ft-mine-1', 'models/ft-mine-1.gguf', run);
    await insert('ft-mine-1.5-9', 'models/ft-mine-1.5-9.gguf', run);
    // Its id would make the name of another model's file.
    await insert('ft/other-2', 'models/ft-mine-1.gguf', run, IMPORTED);
    await removeModel(studio.database.orm, dataDir, 'ft/other-2');
    expect(list()).toHaveLength(4);
    await removeModel(studio.database.orm, dataDir, 'ft-mine-1');
    expect(list()).toEqual(['ft-mine-1.5-9.gguf', 'ft-other-2.gguf']);
    await removeModelFiles(studio.database.orm, dataDir, '../models/ft-other-2.gguf');
    expect(list()).toHaveLength(2);
  });

  it('models of checkpoints that came with an imported project stay when those of its run are tidied up', async () => {
    const [, , run = ''] = runs;
    put('ft-a-1-step-5.gguf', 'ft-a-1-step-9.gguf');
    await insert('ft-a-1-step-5', 'models/ft-a-1-step-5.gguf', run, IMPORTED);
    await insert('ft-a-1-step-9', 'models/ft-a-1-step-9.gguf', run);
    await removeTried(studio.database.orm, dataDir, run, 'none');
    expect(list()).toEqual(['ft-a-1-step-5.gguf']);
    expect(await fileOf('ft-a-1-step-5')).toMatch('models/ft-a-1-step-5.gguf');
  });
});
