// A project that leaves one studio and comes into another, over HTTP. On the embedded database:
// transferRoutes.embedded.test.ts.
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { UNKNOWN_ID } from '#service/http/testService.fixture.ts';
import { checkFreeDisk } from '#service/database/disk/freeDisk.ts';
import { insertFrozenRows } from '#features/datasets/server/rows/snapshotFrame.ts';
import { toUuid } from '#service/database/uuid.ts';
import { addEvaluation } from './projectEvaluation.fixture.ts';
import { openTransfer } from '#features/project-files/server/transfer.ts';
import {
  NO_OTHERS,
  openTransferService,
  sealed,
  toFile,
  toLines,
  toComparable,
  type Line,
  type TransferService,
} from './transferService.fixture.ts';
import { toPath } from '#core/contract/path.ts';
import { keep } from '#service/files/keep.fixture.ts';

const MODEL = 'ft-support-base-0a0b0c0d';

/** All that the sample has not: marks, a snapshot with edited rows, a training with its curves, notes, a model of its own. */
async function addMore({ sql, dataDir, studio }: TransferService): Promise<void> {
  const [dataset] = await sql(`select id from studio.datasets where label = 'Order tools'`);
  const [run] = await sql(
    `select e.id from studio.experiments e join studio.jobs j on j.id = e.job_id join studio.snapshots s
     on s.id = j.snapshot_id where s.dataset_id = '${dataset?.['id']}'`,
  );
  const row = JSON.stringify({
    messages: [
      { role: 'user', content: 'Ha "ü"?' },
      { role: 'assistant', content: 'A.' },
    ],
  });
  const id = '0a0b0c0d-0000-4000-8000-000000000001';
  await sql(
    `insert into studio.row_marks values ('${dataset?.['id']}', 3, true, '["odd"]', null, null),
       ('${dataset?.['id']}', 7, false, '[]', '${row}', '0123456789abcdef');
     insert into studio.snapshots (id, dataset_id, position, label, rows_end, training_count, validation_count, created_at)
       values ('${id}', '${dataset?.['id']}', 1, 'Snapshot 2', 20, 15, 4, '2026-11-20');
     insert into studio.jobs (id, snapshot_id, position, label, status, reasoning, created_at)
       values ('0a0b0c0d-0000-4000-8000-000000000002', '${id}', 0, 'Second', 'processing', false, '2026-11-21');
     insert into studio.experiments (id, job_id, experiment_number, label, status, base_model_id, model_id, lora, n_epochs,
       batch_size, learning_rate_multiplier, created_at) values ('0a0b0c0d-0000-4000-8000-000000000003',
       '0a0b0c0d-0000-4000-8000-000000000002', 1, 'Run 1', 'running', 'support-base', '${MODEL}', false, 3, 8, 0.001, '2026-11-21');
     insert into studio.trainings (experiment_id, training_type, refinetune_from, seed)
       values ('0a0b0c0d-0000-4000-8000-000000000003', 'full', '${run?.['id']}', 7);
     insert into studio.training_points (experiment_id, step, at, loss, epoch)
       select '0a0b0c0d-0000-4000-8000-000000000003', n, '2026-11-21T10:00:00.000Z',
       case when n = 3 then 'NaN'::double precision else 1.0 / n end, 0.5 from generate_series(1, 1020) as n;
     insert into studio.training_validations values ('0a0b0c0d-0000-4000-8000-000000000003', 10, '2026-11-21', 0.4, null,
       '[{"prompt":"p","expected":"e","answer":"a","is_right":null}]');
     insert into studio.training_checkpoints values ('0a0b0c0d-0000-4000-8000-000000000003', 10, '2026-11-21', '${MODEL}');
     insert into studio.training_logs values ('0a0b0c0d-0000-4000-8000-000000000003', 0, 'a log');
     insert into studio.notes values ('0a0b0c0d-0000-4000-8000-000000000003', 'Mine', '["a"]', true, false, 'Text ü', 4, '2026-11-22');
     insert into studio.models (id, position, experiment_id, file, adapter, aliases, owned_by, about, created_at)
       values ('${MODEL}', 99, '0a0b0c0d-0000-4000-8000-000000000003', 'models/${MODEL}.gguf', null, '[]', 'studio', 'Mine.', '2026-11-21')`,
  );
  const sides = Uint8Array.from({ length: 20 }, (_, at) => (at === 3 ? 0 : at < 16 ? 1 : 2));
  await insertFrozenRows(studio.database.orm, id, { sides, edited: [[7, row]] });
  await addEvaluation(studio.database, String(dataset?.['id']), id);
  mkdirSync(join(dataDir, 'models'), { recursive: true });
  const sample = new URL('../../../projects/server/sample/support-base.Q8_0.gguf', import.meta.url);
  copyFileSync(sample, join(dataDir, 'models', `${MODEL}.gguf`));
}

const download = async (desk: TransferService, id: string, hasModels = false): Promise<Buffer> => {
  const answer = await desk.service.askSigned(
    toPath('/api/v1/studio/projects/{projectId}/export', [id], { models: hasModels ? 'include' : null }),
  );
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body;
};

interface Made {
  readonly project_id: string;
  readonly name: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly models: readonly { id: string; state: string; reason: string | null }[];
}

const from = await keep(openTransferService({ sample: true }));
const to = await keep(openTransferService({ sample: false }));
await addMore(from);
const projectId = (await from.studio.listProjects())[0]?.id ?? '';
const file = await download(from, projectId);
const lines = toLines(file);
const empty = await to.countAll();

const clear = async (): Promise<void> => {
  await to.sql('delete from studio.projects; delete from studio.notes');
  rmSync(join(to.dataDir, 'models'), { recursive: true, force: true });
};

async function expectNothing(): Promise<void> {
  expect(await to.countAll()).toEqual(empty);
  expect(existsSync(join(to.dataDir, 'models')) ? readdirSync(join(to.dataDir, 'models')) : []).toEqual([]);
}

describe('a project that is exported', () => {
  it('is one file with everything, which says what it is first and what it had last', async () => {
    const answer = await from.service.askSigned(`/api/v1/studio/projects/${projectId}/export`);
    expect(answer.headers['content-disposition']).toBe('attachment; filename="support-desk.project.jsonl.gz"');
    expect(lines[0]).toMatchObject({
      format: 'model-studio-project',
      version: 1,
      name: 'Support desk',
      model_bytes: 0,
    });
    const text = lines.slice(0, -1).map((line) => `${JSON.stringify(line)}\n`);
    const sha256 = createHash('sha256').update(text.join('')).digest('hex');
    expect(lines.at(-1)).toEqual({ kind: 'end', lines: lines.length - 1, sha256 });
    const of = (kind: string): Line[] => lines.filter((line) => line.kind === kind);
    expect(of('evaluation-rows').map(({ set, first }) => `${set} ${first}`)).toEqual(['0 0', '1 0', '1 2']);
    expect(of('points').map((line) => (line['points'] as unknown[]).length)).toEqual([1000, 20]);
    // What goes on here does not go on elsewhere.
    expect(of('experiment').find((line) => line['label'] === 'Run 1')).toMatchObject({ status: 'stopped' });
    expect(of('job').find((line) => line['label'] === 'Second')).toMatchObject({ status: 'stopped' });
  });

  it.each([
    [`/api/v1/studio/projects/${UNKNOWN_ID}/export`, 404, 'projectId'],
    ['/api/v1/studio/projects/x/export', 400, 'projectId'],
    [`/api/v1/studio/projects/${UNKNOWN_ID}/export?models=all`, 400, 'models'],
  ])('%s is %i', async (path, status, param) => {
    const answer = await from.service.askSigned(path);
    expect([answer.status, answer.json()]).toMatchObject([status, { error: { param } }]);
  });
});

describe('a project that is imported', () => {
  beforeEach(clear);

  it('into an empty studio is the same again, with its ids', async () => {
    const answer = await to.upload(file);
    expect(answer.json()).toMatchObject({ project_id: projectId, name: 'Support desk' });
    const { counts, models } = answer.json() as Made;
    expect(counts).toMatchObject({ datasets: 4, snapshots: 5, jobs: 4, notes: 1 });
    // Files of the sample come with the product; those that were trained there stay there.
    expect(models.filter(({ state }) => state === 'missing').map(({ id }) => id)).toEqual([MODEL]);
    expect(models.length).toBeGreaterThan(3);
    const again = toLines(await download(to, projectId));
    const withoutModel = (given: readonly Line[]) => toComparable(given).filter(({ id }) => id !== MODEL);
    expect(withoutModel(again)).toEqual(withoutModel(lines));
    expect((await to.studio.listModelFiles()).length).toBe(models.length - 1);
    expect(await to.studio.listProjects()).toMatchObject([{ id: projectId, name: 'Support desk' }]);
  });

  it('with its models asks them as before', async () => {
    const whole = await download(from, projectId, true);
    const answer = await to.upload(whole, { models: 'include' });
    expect((answer.json() as Made).models.every(({ state }) => state === 'ready')).toBe(true);
    const listed = (await to.studio.listModelFiles()).find(({ id }) => id === MODEL);
    expect(existsSync(listed?.path ?? '')).toBe(true);
    expect(toComparable(toLines(await download(to, projectId, true))).filter(({ kind }) => kind === 'part')).toEqual(
      toLines(whole).filter(({ kind }) => kind === 'part'),
    );
    await clear();
    // The files that came with it are not taken unless they are asked for.
    expect(((await to.upload(whole)).json() as Made).models.find(({ id }) => id === MODEL)?.state).toBe('missing');
    expect(existsSync(join(to.dataDir, 'models'))).toBe(false);
  });

  it('from an unpacked file is taken, too; again is told, and a copy has ids of its own and the same content', async () => {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    expect((await to.upload(Buffer.from(text))).status).toBe(200);
    const again = await to.upload(file);
    expect([again.status, again.json()]).toMatchObject([
      409,
      { error: { code: 'project_exists', param: 'ids' }, project: { id: projectId, name: 'Support desk' } },
    ]);
    const copy = (await to.upload(file, { ids: 'new' })).json() as Made;
    expect(copy).toMatchObject({ name: 'Support desk (copy)' });
    const copied = toLines(await download(to, copy.project_id));
    // Each id of the copy stands where its original stands; sorted, as the order of lines follows ids.
    const anonymous = (given: readonly Line[]) =>
      toComparable(given)
        .filter(({ kind, id }) => kind !== 'model' && id !== MODEL)
        .map((line) =>
          JSON.stringify(line)
            .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
            .replaceAll(/ft-support-base-[0-9a-f]{8}/g, 'MODEL')
            .replaceAll('Support desk (copy)', 'Support desk'),
        )
        .sort();
    expect(anonymous(copied)).toEqual(anonymous(lines));
    const all = (given: readonly Line[]) => new Set(given.flatMap(({ id }) => (typeof id === 'string' ? [id] : [])));
    expect([...all(copied)].filter((id) => all(lines).has(id))).toEqual([]);
    await to.sql(`update studio.projects set deleted_at = now() where id = '${projectId}'`);
    expect((await to.upload(file)).json()).toMatchObject({ error: { code: 'project_deleted' } });
    await to.sql(`update studio.projects set deleted_at = null`);
    expect((await to.upload(file, { ids: 'new' })).json()).toMatchObject({ name: 'Support desk (copy 2)' });
  });

  it('does not take the id of another node, of whatever kind', async () => {
    const taken = lines.find(({ kind }) => kind === 'snapshot')?.['id'];
    await to.sql(`insert into studio.projects (id, name, created_at) values ('${taken}', 'Other', now())`);
    const answer = await to.upload(file);
    expect([answer.status, answer.json()]).toMatchObject([409, { error: { code: 'ids_taken', param: 'ids' } }]);
    expect(await to.countAll()).toEqual({ ...empty, projects: 1 });
  });

  it('with many datasets takes few statements, between which others are answered', async () => {
    const [manifest, project] = lines;
    const dataset = lines.find(({ kind }) => kind === 'dataset');
    const empties = Array.from({ length: 2000 }, (_, at) =>
      Object.assign({}, dataset, { id: toUuid(String(at)), position: at, datapoints_count: 0 }),
    );
    const revision = async () => Number((await to.sql('select number from studio.tree_revision'))[0]?.['number']);
    const before = await revision();
    expect((await to.upload(sealed([manifest, project, ...empties] as Line[]))).status).toBe(200);
    expect((await revision()) - before).toBeLessThan(30);
  });
});

// What else is refused, and with which words: server/fileRecords.test.ts.
describe('a file that can not be taken', () => {
  beforeAll(clear);

  it.each<[string, string, () => Buffer]>([
    ['not_a_project_file', 'a picture', () => Buffer.from('\x89PNG\r\n\x1a\n'.repeat(100), 'latin1')],
    ['file_cut_off', 'a file cut in its bytes', () => file.subarray(0, file.length - 400)],
    ['damaged_file', 'a line lost near the end', () => toFile(lines.filter(({ kind }) => kind !== 'note'))],
  ])('%s: %s', async (code, _name, make) => {
    const answer = await to.upload(make());
    expect(answer.json()).toMatchObject({ error: { code, param: 'file' } });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('Nothing was imported')]);
    await expectNothing();
  });

  it('leaves nothing on a full disk', async () => {
    to.setStore(async () => {
      throw new Error('could not extend file: No space left on device');
    });
    const answer = await to.upload(file);
    to.setStore(undefined);
    expect([answer.status, answer.json()]).toMatchObject([507, { error: { code: 'disk_full' } }]);
    await expectNothing();
  });

  it.each([
    ['models', 'manifest', { model_bytes: 1e15 }],
    ['rows', 'manifest', { rows: 1e15 }],
    ['one model', 'file', { bytes: 1e15 }],
  ])('is not unpacked where its %s would fill the disk', async (_what, kind, more) => {
    const whole = toLines(await download(from, projectId, true)).slice(0, -1);
    const large = sealed(whole.map((line) => (line.kind === kind ? Object.assign({}, line, more) : line)));
    to.setRoom((bytes) => checkFreeDisk('/data', bytes ?? 0, 1e12));
    const answer = await to.upload(large, { models: 'include' });
    to.setRoom(undefined);
    const message = expect.stringMatching(
      /^Only .* are free on the disk of .*, and this needs .* Nothing was imported/,
    );
    expect([answer.status, answer.json()]).toMatchObject([507, { error: { code: 'disk_full', message } }]);
    await expectNothing();
  });

  it('leaves nothing of a model whose bytes are others', async () => {
    const whole = toLines(await download(from, projectId, true));
    const other = whole.map((line) => (line.kind === 'part' ? { kind: 'part', data: line['data'] } : line));
    const last = other.findLastIndex(({ kind }) => kind === 'file-end');
    other[last] = { kind: 'file-end', sha256: '0'.repeat(64) };
    const answer = await to.upload(sealed(other.slice(0, -1)), { models: 'include' });
    expect([answer.status, answer.json()]).toMatchObject([400, { error: { code: 'damaged_file' } }]);
    await expectNothing();
  });

  it.each([
    [{ ids: 'some' }, 'ids'],
    [{ models: 'yes' }, 'models'],
  ])('is not read with %j', async (fields, param) => {
    const answer = await to.upload(file, fields as unknown as Record<string, string>);
    expect([answer.status, answer.json()]).toMatchObject([400, { error: { param } }]);
    await expectNothing();
  });

  it('is not taken as JSON, nor without a token', async () => {
    expect((await to.service.post('/api/v1/studio/projects/import', {})).status).toBe(415);
    expect((await to.service.ask('/api/v1/studio/projects/import', { method: 'POST' })).status).toBe(401);
  });
});

describe('an import whose sender leaves before its end', () => {
  it('has its place free, and leaves nothing', async () => {
    await clear();
    // Two fill the studio. Rows are stored without end until the senders have left.
    let go: () => void = () => undefined;
    const stuck = new Promise<void>((resolve) => (go = resolve));
    let begun = 0;
    to.setStore(async () => {
      begun += 1;
      await stuck;
    });
    const senders = [new AbortController(), new AbortController()];
    const answers = senders.map(({ signal }) => to.upload(file, { ids: 'new' }, {}, signal));
    await expect.poll(() => begun, { timeout: 20_000 }).toBe(2);
    expect((await to.upload(file)).status).toBe(429);
    for (const sender of senders) sender.abort();
    await Promise.allSettled(answers);
    go();
    to.setStore(undefined);
    await expect.poll(async () => (await to.upload(Buffer.from('x'))).status, { timeout: 20_000 }).toBe(400);
    await expect.poll(() => to.countAll(), { timeout: 20_000 }).toEqual(empty);
  });
});

describe('an import that runs', () => {
  /** All but its last records has come. */
  async function begin() {
    await clear();
    const running = to.transfer.startImport({ ids: 'keep', hasModels: true, isOwner: true, seed: null });
    const whole = await download(from, projectId, true);
    const lines = toLines(whole).map((line) => `${JSON.stringify(line)}\n`);
    await running.write(Buffer.from(lines.slice(0, -10).join('')));
    await expect.poll(async () => (await to.countAll())['models'], { timeout: 20_000 }).toBeGreaterThan(0);
    return { running, rest: Buffer.from(lines.slice(-10).join('')) };
  }
  /** Another service opens, which removes what dead ones left. */
  async function openNext(): Promise<void> {
    const { database } = to.studio;
    await (await openTransfer({ ...NO_OTHERS, database, dataDir: to.dataDir })).close();
  }
  const age = (seconds: number): Promise<unknown> =>
    to.sql(`update studio.leases set until = until - interval '${seconds} seconds'`);

  it('is hidden, and removed by the next service once its own has been silent for a minute', async () => {
    const { running, rest } = await begin();
    expect(await to.studio.listProjects()).toEqual([]);
    expect(await to.studio.listModelFiles()).toEqual([]);
    expect((await to.upload(file)).json()).toMatchObject({ error: { code: 'project_being_imported' } });
    await age(66);
    await openNext();
    await expectNothing();
    // Its service only slept.
    const error: unknown = await running
      .write(rest)
      .then(() => running.finish())
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      status: 503,
      code: 'import_lost',
      message: expect.stringMatching(/lost contact .*Upload the file again\.$/) as string,
    });
    await running.cancel();
    await expectNothing();
  });

  it('stores nothing more if another service takes over in the midst of a piece, and the project is sent to that one', async () => {
    await clear();
    const { database } = to.studio;
    const whole = await download(from, projectId, true);
    let stored: unknown = null;
    const look = async () => [await to.countAll(), readdirSync(join(to.dataDir, 'models'))];
    const asleep = await openTransfer({
      ...NO_OTHERS,
      database,
      dataDir: to.dataDir,
      // It is asked before the first run is stored.
      async readNames() {
        await age(66);
        await openNext();
        expect((await to.upload(whole, { models: 'include' })).status).toBe(200);
        stored = await look();
        return NO_OTHERS.readNames();
      },
    });
    const running = asleep.startImport({ ids: 'keep', hasModels: true, isOwner: true, seed: null });
    const imported = running.write(whole).then(() => running.finish());
    await expect(imported).rejects.toMatchObject({ status: 503, code: 'import_lost' });
    await asleep.close();
    expect(stored).not.toBeNull();
    expect(await look()).toEqual(stored);
  });

  it('is nobody else’s to remove, as long as it says something every minute', async () => {
    const { running, rest } = await begin();
    await age(50);
    await openNext();
    await running.write(rest);
    expect(await running.finish()).toMatchObject({ project_id: projectId });
    expect((await to.countAll())['leases']).toBe(0);
  });
});
