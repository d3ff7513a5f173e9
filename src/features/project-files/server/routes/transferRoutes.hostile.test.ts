// Files of projects by strangers, over HTTP: nothing that is here is replaced, nothing begins, and what was changed is told.
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  importPreviewSchema,
  projectImportedSchema,
  type ProjectImported,
} from '#features/project-files/shared/transfer.ts';
import { toSamplePath } from '#features/projects/server/sampleFiles.ts';
import { openModelStore } from '#features/project-files/server/modelStore.ts';
import { IDS, RECORD_LINES } from '#features/project-files/server/projectFile.fixture.ts';
import { NOW, openTransferService, sealed, toLines, type Line } from './transferService.fixture.ts';
import { toTransferRoutes } from './transferRoutes.ts';
import { keep } from '#service/files/keep.fixture.ts';

const to = await keep(openTransferService({ sample: false }));
const empty = await to.countAll();
beforeEach(async () => {
  await to.sql('delete from studio.projects; delete from studio.notes; delete from studio.models');
  rmSync(join(to.dataDir, 'models'), { recursive: true, force: true });
  Object.assign(to.others, { names: [], isComplete: true, nodes: [] });
});

const WEIGHTS = readFileSync(toSamplePath('support-base.Q8_0.gguf'));
const OWN = 'ft-base-00000000';

const filesOf = (model_id: string, bytes: Buffer, format: string | null = null): Line[] => [
  { kind: 'file', model_id, format, bytes: bytes.length },
  { kind: 'part', data: bytes.toString('base64') },
  { kind: 'file-end', sha256: createHash('sha256').update(bytes).digest('hex') },
];

/** A file with real weights, whose records are changed by `change`. Its model is `model`. */
function toFile(change: (line: Line) => Line = (line) => line, { model = OWN, files = filesOf(model, WEIGHTS) } = {}) {
  const lines = RECORD_LINES.flatMap((line): Line[] => {
    if (line.kind === 'file') return files;
    if (line.kind === 'part' || line.kind === 'file-end') return [];
    const named = line.kind === 'experiment' || line.kind === 'checkpoint' ? { model_id: model } : {};
    const own = line.kind === 'model' ? { id: model, file: { name: 'models/x.gguf', bytes: 1 } } : named;
    return [change(Object.assign({}, line, own))];
  });
  return sealed(lines);
}
const withFields =
  (kind: string, more: object) =>
  (line: Line): Line =>
    line.kind === kind ? Object.assign({}, line, more) : line;

const put = (name: string, content: string | Buffer): void => {
  mkdirSync(join(to.dataDir, 'models'), { recursive: true });
  writeFileSync(join(to.dataDir, 'models', name), content);
};
const list = (): string[] => readdirSync(join(to.dataDir, 'models')).toSorted();
const read = (name: string): string => readFileSync(join(to.dataDir, 'models', name), 'utf8');
const models = () =>
  to.sql('select id, file, adapter, aliases, owned_by, experiment_id from studio.models order by position');

async function upload(file: Buffer, fields: Readonly<Record<string, string>> = {}): Promise<ProjectImported> {
  const answer = await to.upload(file, { models: 'include', ...fields });
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return projectImportedSchema.parse(answer.json());
}

/** A model of this studio, with a project of its own. Resolves to its run. */
async function addOwn(id: string, file: string, content: string | Buffer = 'mine'): Promise<string> {
  put(file, content);
  const [project, dataset, snapshot, job, run] = Array.from({ length: 5 }, () => randomUUID());
  await to.sql(
    `insert into studio.projects (id, name, created_at) values ('${project}', 'Mine', now());
     insert into studio.datasets (id, project_id, position, label, status, datapoints_count, created_at)
       values ('${dataset}', '${project}', 0, 'D', 'completed', 0, now());
     insert into studio.snapshots (id, dataset_id, position, label, rows_end, training_count, validation_count, created_at)
       values ('${snapshot}', '${dataset}', 0, 'S', 0, 0, 0, now());
     insert into studio.jobs (id, snapshot_id, position, label, status, reasoning, created_at)
       values ('${job}', '${snapshot}', 0, 'J', 'completed', false, now());
     insert into studio.experiments (id, job_id, experiment_number, label, status, base_model_id, model_id, lora, n_epochs,
       batch_size, learning_rate_multiplier, created_at)
       values ('${run}', '${job}', 1, 'R', 'succeeded', 'base', '${id}', false, 1, 8, 0.001, now());
     insert into studio.models (id, position, experiment_id, file, adapter, aliases, owned_by, about, created_at)
       values ('${id}', 0, '${run}', 'models/${file}', null, '[]', 'studio', '', now())`,
  );
  return run ?? '';
}

it.each([
  ['a version without its rows', withFields('evaluation-version', { set: 1 }), /the set of rows 1, which is not there/],
  ['a row that asks nothing', withFields('evaluation-rows', { rows: [{ expected: 'a' }] }), /rows\[0\] asks nothing/],
])('an evaluation with %s is refused, and nothing stays', async (_, change, message) => {
  const answer = await to.upload(toFile(change));
  expect([answer.status, answer.text]).toEqual([400, expect.stringMatching(message)]);
  expect(await to.countAll()).toEqual(empty);
});

describe('a model that comes with a file', () => {
  it('gets a file of its own, though its id makes the name of one that is here', async () => {
    await addOwn('ft-base/x', 'ft-base-00000000.gguf');
    put('ft-base-00000000.merged-F16.gguf', 'mine too');
    const { models: made } = await upload(toFile(undefined, { model: 'ft-base-00000000' }));
    expect(made).toEqual([{ id: OWN, state: 'ready', reason: null, bytes: WEIGHTS.length }]);
    expect([read('ft-base-00000000.gguf'), read('ft-base-00000000.merged-F16.gguf')]).toEqual(['mine', 'mine too']);
    expect((await models()).at(-1)).toMatchObject({
      id: OWN,
      file: 'models/ft-base-00000000-2.gguf',
      owned_by: 'imported',
    });
    expect(readFileSync(join(to.dataDir, 'models', 'ft-base-00000000-2.gguf')).equals(WEIGHTS)).toBe(true);
  });

  it('takes none of the files of others along when its import fails', async () => {
    await addOwn('ft-base/x', 'ft-base-00000000.gguf');
    put('ft-base-00000000.merged-F16.gguf', 'mine too');
    const broken = toFile(undefined, {
      files: [...filesOf(OWN, WEIGHTS), ...filesOf(OWN, Buffer.from('no model'), 'merged F16')],
    });
    const answer = await to.upload(broken, { models: 'include' });
    expect([answer.status, answer.json()]).toMatchObject([400, { error: { code: 'wrong_model' } }]);
    expect(list()).toEqual(['ft-base-00000000.gguf', 'ft-base-00000000.merged-F16.gguf']);
    expect(await models()).toHaveLength(1);
  });

  it('gets another file than one that comes at the same time', async () => {
    const file = toFile();
    await Promise.all([upload(file, { ids: 'new' }), upload(file, { ids: 'new' })]);
    const files = (await models()).map((row) => row['file']);
    expect(new Set(files).size).toBe(2);
    for (const name of list()) expect(readFileSync(join(to.dataDir, 'models', name)).equals(WEIGHTS)).toBe(true);
    expect(list()).toHaveLength(2);
  });

  it.each([
    ['of a model here', OWN, 'ft-base-00000000-2'],
    ['of a model of the operator or of a server', 'ft-far-00000000', 'ft-far-00000000-2'],
    ['of a run here whose model is gone', 'ft-gone-00000000', 'ft-gone-00000000-2'],
    ['of a base model', 'Qwen/Qwen3-8B', 'ft-Qwen/Qwen3-8B-00000000'],
    ['of the base model of the sample', 'support-base', 'ft-support-base-00000000'],
  ])('does not get the name %s', async (_whose, given, named) => {
    await addOwn(OWN, 'mine.gguf');
    const run = await addOwn('ft-gone-00000000', 'gone.gguf');
    await to.sql(`delete from studio.models where experiment_id = '${run}'`);
    to.others.names = ['ft-far-00000000'];
    const { models: made, changes } = await upload(toFile(undefined, { model: given }));
    expect(made.map(({ id, state }) => [id, state])).toEqual([[named, 'ready']]);
    expect(changes).toMatchObject([{ kind: 'model_renamed', count: 1, named: [{ from: given, to: named }] }]);
    const [told] = await to.sql(`select e.model_id, c.model_id as tried from studio.experiments e
      join studio.training_checkpoints c on c.experiment_id = e.id where e.id = '${IDS.experiment}'`);
    expect(told).toEqual({ model_id: named, tried: named });
  });

  it('gets a name that nobody can know while the server of --engine does not answer', async () => {
    to.others.isComplete = false;
    const { models: made, changes } = await upload(toFile());
    expect(made[0]?.id).toMatch(/^ft-base-00000000-[0-9a-f]{8}$/);
    expect(changes[0]?.reason).toMatch(/^The server of --engine does not answer/);
  });

  it('gets another name if one that is made meanwhile takes its own, and so do its run and checkpoint', async () => {
    await upload(toFile());
    const { orm } = to.studio.database;
    const store = openModelStore({ orm, dataDir: to.dataDir, write: (work) => orm.transaction(work) });
    const place = await store.claim(OWN);
    const model = { experiment_id: IDS.experiment, file: place, adapter: null, about: '', created_at: new Date() };
    expect(await store.add({ ...model, id: OWN })).toBe(`${OWN}-2`);
    const [told] = await to.sql(`select e.model_id, c.model_id as tried from studio.experiments e
      join studio.training_checkpoints c on c.experiment_id = e.id where e.id = '${IDS.experiment}'`);
    expect(told).toEqual({ model_id: `${OWN}-2`, tried: `${OWN}-2` });
    expect((await models()).map(({ id }) => id)).toEqual([OWN, `${OWN}-2`]);
  });

  it('has no alias', async () => {
    const { changes } = await upload(toFile(withFields('model', { aliases: ['Qwen/Qwen3-8B', 'free'] })));
    expect(await models()).toMatchObject([{ id: OWN, aliases: [] }]);
    expect(changes).toMatchObject([{ kind: 'alias_dropped', count: 2 }]);
  });

  it('is not the file of another model that the file names', async () => {
    await addOwn('ft-mine-12345678', 'ft-mine-12345678.gguf', WEIGHTS);
    const mine = { name: 'models/ft-mine-12345678.gguf', bytes: WEIGHTS.length };
    const file = toFile(withFields('model', { file: mine }), { files: [] });
    expect((await upload(file)).models).toMatchObject([
      { state: 'missing', reason: expect.stringContaining('not here') as string, bytes: 0 },
    ]);
    const lora = 'support-triage-1.lora.F16.gguf';
    const adapter = { name: lora, bytes: readFileSync(toSamplePath(lora)).length };
    await to.sql('delete from studio.projects');
    const whole = toFile(withFields('model', { file: adapter, form: 'whole' }), { files: [] });
    expect((await upload(whole)).models).toMatchObject([
      { state: 'missing', reason: 'Its file can not be used. The file is an adapter, not a whole model.' },
    ]);
  });

  it('of a copy is the file of the run that was copied, which stays when the copy goes', async () => {
    await upload(toFile());
    const { models: made } = await upload(
      toFile(withFields('model', { file: { name: 'models/ft-base-00000000.gguf', bytes: WEIGHTS.length } }), {
        files: [],
      }),
      { ids: 'new' },
    );
    expect(made).toMatchObject([{ state: 'ready', bytes: 0 }]);
    expect((await models()).map((row) => row['file'])).toEqual(Array(2).fill('models/ft-base-00000000.gguf'));
  });
});

describe('what goes on in a file', () => {
  it.each(['pending', 'queued', 'running', 'deploying'])('has ended here: %s', async (status) => {
    const toActive = (line: Line): Line => {
      const changed = withFields('experiment', { status, model_id: null })(line);
      return withFields('recommendation', { status: 'processing' })(
        withFields('job', { status: 'processing' })(changed),
      );
    };
    const { changes } = await upload(toFile(toActive));
    expect(changes.map(({ kind }) => kind)).toEqual(['run_ended', 'job_ended', 'recommendation_ended']);
    const active =
      await to.sql(`select status from studio.experiments where status not in ('stopped', 'succeeded', 'failed')
      union select status from studio.jobs where status = 'processing'
      union select status from studio.recommendations where status = 'processing'
      union select status from studio.datasets where status = 'processing'`);
    expect(active).toEqual([]);
    const job = await to.studio.findJob(IDS.job);
    expect(job).toMatchObject({ status: 'stopped' });
    expect(job?.experiments).toMatchObject([
      { status: 'stopped', failure: expect.stringMatching(/^It was .* where this file was made\.$/) as string },
    ]);
    expect(await to.studio.findRecommendation(IDS.snapshot)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('where this file was made') as string,
    });
  });

  it('is told by an export, too', async () => {
    await upload(toFile());
    await to.sql(`update studio.experiments set status = 'queued' where id = '${IDS.experiment}'`);
    const answer = await to.service.askSigned(
      '/api/v1/studio/projects/{projectId}/export'.replace('{projectId}', IDS.project),
    );
    expect(toLines(answer.body).find(({ kind }) => kind === 'experiment')).toMatchObject({
      status: 'stopped',
      failure: 'It was waiting to be trained where this file was made.',
    });
  });
});

it('a file with a record of each kind comes out as it came in', async () => {
  await upload(toFile());
  const answer = await to.service.askSigned(`/api/v1/studio/projects/${IDS.project}/export?models=include`);
  // Parts of a model file may be cut elsewhere.
  const changing = new Set(['manifest', 'model', 'part', 'end']);
  const toKept = (lines: readonly Line[]) => lines.filter(({ kind }) => !changing.has(kind));
  expect(toKept(toLines(answer.body))).toEqual(toKept(toLines(toFile())));
});

it('settings of a run stand for none of its other fields, also of one that came in long ago', async () => {
  await upload(toFile());
  const settings = JSON.stringify({
    seed: 9,
    id: 'x',
    status: 'running',
    model_id: 'support-base',
    failure: 'Call 123.',
  });
  await to.sql(`update studio.experiments set settings = '${settings}'`);
  const [run] = (await to.studio.findJob(IDS.job))?.experiments ?? [];
  expect(run).toMatchObject({ id: IDS.experiment, status: 'succeeded', model_id: OWN, failure: undefined, seed: 9 });
});

it('dates in the future are those of the import', async () => {
  const { changes } = await upload(toFile(withFields('project', { created_at: '9990-01-01T00:00:00Z' })));
  expect(changes).toMatchObject([{ kind: 'date_moved', named: [{ of: 'Desk: created_at', to: NOW }] }]);
  expect(await to.studio.listProjects()).toMatchObject([{ created_at: NOW }]);
});

it('a node does not take the id of a run in a folder, nor its note', async () => {
  to.others.nodes = [IDS.experiment];
  const answer = await to.upload(toFile());
  expect([answer.status, answer.json()]).toMatchObject([409, { error: { code: 'ids_taken', param: 'ids' } }]);
  expect(await to.countAll()).toEqual(empty);
  expect((await to.upload(toFile(), { ids: 'new' })).status).toBe(200);
});

describe('a preview', () => {
  const hostile = toFile(
    (line) => {
      const running = withFields('experiment', { status: 'running', created_at: '9990-01-01T00:00:00Z' })(line);
      return withFields('model', { id: 'Qwen/Qwen3-8B', aliases: ['a'] })(running);
    },
    { model: 'Qwen/Qwen3-8B' },
  );

  it('tells what the import then does, and stores nothing', async () => {
    await addOwn('ft-mine-12345678', 'ft-mine-12345678.gguf');
    const before = [await to.countAll(), list()];
    const answer = await to.preview(hostile, { models: 'include', ids: 'new' });
    const { seed, ...told } = importPreviewSchema.parse(answer.json());
    expect([await to.countAll(), list()]).toEqual(before);
    expect(told.changes.map(({ kind }) => kind)).toEqual(['model_renamed', 'alias_dropped', 'run_ended', 'date_moved']);
    expect(told.models).toMatchObject([{ state: 'ready', bytes: WEIGHTS.length }]);
    expect(told.counts).toEqual({ datasets: 1, rows: 3, snapshots: 1, jobs: 1, experiments: 1, notes: 1 });
    expect(await upload(hostile, { ids: 'new', seed })).toEqual(told);
    const [left] = importPreviewSchema.parse((await to.preview(hostile, { ids: 'new' })).json()).models;
    expect(left).toMatchObject({
      state: 'missing',
      reason: expect.stringContaining('not here'),
      bytes: WEIGHTS.length,
    });
  });

  it('gives the errors of the import, also for a project that is here', async () => {
    await upload(toFile());
    expect((await to.preview(toFile())).json()).toMatchObject({
      error: { code: 'project_exists' },
      project: { id: IDS.project, name: 'Desk' },
    });
    const damaged = hostile.subarray(0, hostile.length - 50);
    expect((await to.preview(damaged, { ids: 'new' })).json()).toMatchObject({ error: { code: 'file_cut_off' } });
  });

  it('may be asked for by those who may only read', () => {
    const routes = toTransferRoutes(to.transfer);
    const quiet = routes.filter(({ changesNothing }) => changesNothing === true).map(({ path }) => path);
    expect(quiet).toEqual(['/api/v1/studio/projects/import/preview']);
  });
});
