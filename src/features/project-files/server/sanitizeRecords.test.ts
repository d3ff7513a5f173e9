import { describe, expect, it } from 'vitest';
import { EXPERIMENT_STATUSES, isActiveStatus, type ExperimentStatus } from '#core/contract/statuses.ts';
import { NAMED_CHANGES } from '#features/project-files/shared/transfer.ts';
import { openAdmission, type AdmissionOptions, type AdmittedItem } from './sanitizeRecords.ts';
import type { FileItem } from './fileRecords.ts';
import { IDS, RECORD_LINES } from './projectFile.fixture.ts';
import type { RecordKind, RecordOf } from './records.ts';

const NOW = new Date('2026-11-24T10:00:00.000Z');
const SEED = 'feedbeef-0000-4000-8000-000000000000';
const RUN = IDS.experiment;
const MODEL = 'ft-base-00000000';

const record = <Kind extends RecordKind>(kind: Kind, more: Partial<RecordOf<Kind>> = {}): RecordOf<Kind> =>
  Object.assign(
    {},
    RECORD_LINES.find((line) => line.kind === kind),
    more,
  ) as unknown as RecordOf<Kind>;

const open = (more: Partial<AdmissionOptions> = {}) =>
  openAdmission({
    toId: (id) => id,
    isCopy: false,
    isOwner: true,
    seed: SEED,
    now: NOW,
    readTaken: async () => ({ names: new Set(['taken', 'ft-taken-00000000']), isComplete: true }),
    toFreeName: async (name) => name,
    ...more,
  });
type Opened = ReturnType<typeof open>;

async function admitAll(admission: Opened, items: readonly FileItem[]): Promise<AdmittedItem[]> {
  const admitted: AdmittedItem[] = [];
  for (const item of items) admitted.push(await admission.admit(item));
  return admitted;
}
const nameOf = async (admission: Opened, id: string, run = RUN): Promise<string> =>
  ((await admission.admit(record('model', { id, experiment_id: run }))) as RecordOf<'model'>).id;
const kinds = (admission: Opened) => admission.listChanges().map(({ kind, count }) => [kind, count]);

it('takes an honest file as it is', async () => {
  const admission = open();
  const items = RECORD_LINES.filter(({ kind }) => kind !== 'rows') as unknown as FileItem[];
  const admitted = await admitAll(admission, items);
  expect(
    admitted.map((item) => (item.kind === 'model' ? Object.assign({}, item, { given: undefined }) : item)),
  ).toEqual(items.map((item) => (item.kind === 'model' ? Object.assign({}, item, { given: undefined }) : item)));
  expect(admission.listChanges()).toEqual([]);
  expect(admission.counts).toEqual({ datasets: 1, rows: 0, snapshots: 1, jobs: 1, experiments: 1, notes: 1 });
});

describe('names of models', () => {
  it('are those of the file only if they name their own run and nobody has them', async () => {
    const admission = open();
    expect(await nameOf(admission, MODEL)).toBe(MODEL);
    expect(await nameOf(admission, 'Qwen/Qwen3-8B')).toBe('ft-Qwen/Qwen3-8B-00000000');
    expect(await nameOf(admission, 'ft-taken-00000000')).toBe('ft-taken-00000000-2');
    expect(await nameOf(admission, 'taken')).toBe('ft-taken-00000000-3');
    expect(admission.listChanges()).toEqual([
      {
        kind: 'model_renamed',
        reason: expect.stringContaining('first 8 digits of their run') as string,
        count: 1,
        named: [{ of: null, from: 'Qwen/Qwen3-8B', to: 'ft-Qwen/Qwen3-8B-00000000' }],
      },
      {
        kind: 'model_renamed',
        reason: expect.stringContaining('has this name') as string,
        count: 2,
        named: [
          { of: null, from: 'ft-taken-00000000', to: 'ft-taken-00000000-2' },
          { of: null, from: 'taken', to: 'ft-taken-00000000-3' },
        ],
      },
    ]);
  });

  it('can not be guessed while the models of a server are not known', async () => {
    const admission = open({ readTaken: async () => ({ names: new Set(), isComplete: false }) });
    expect(await nameOf(admission, MODEL)).toBe(`${MODEL}-feedbeef`);
    expect(admission.listChanges()[0]?.reason).toMatch(/server of --engine does not answer/);
  });

  it('of two models are two, though they read alike', async () => {
    const admission = open();
    expect(await nameOf(admission, 'a\tb')).toBe('ft-a-b-00000000');
    expect(await nameOf(admission, 'a\nb')).toBe('ft-a-b-00000000-2');
  });

  it('are the same wherever the file has them: in a run, its checkpoints, under an adapter', async () => {
    const admission = open();
    const items: FileItem[] = [
      record('experiment', { model_id: 'x' }),
      record('checkpoint', { model_id: 'x' }),
      record('model', { id: 'x' }),
      record('model', { id: 'b', form: 'adapter', base: 'x', aliases: ['y'] }),
    ];
    const [run, checkpoint, whole, other] = await admitAll(admission, items);
    expect(run).toMatchObject({ model_id: 'ft-x-00000000' });
    expect(checkpoint).toMatchObject({ model_id: 'ft-x-00000000' });
    expect(whole).toMatchObject({ id: 'ft-x-00000000', given: { id: 'x', experiment_id: RUN } });
    expect(other).toMatchObject({ id: 'ft-b-00000000', base: 'ft-x-00000000', aliases: [] });
    expect(kinds(admission)).toEqual([
      ['model_renamed', 2],
      ['alias_dropped', 1],
    ]);
  });

  it('of a checkpoint are told only if its model comes along', async () => {
    const admission = open();
    expect(await admission.admit(record('checkpoint', { model_id: 'x' }))).toMatchObject({ model_id: 'ft-x-00000000' });
    expect(admission.listChanges()).toEqual([]);
    expect(await nameOf(admission, 'x')).toBe('ft-x-00000000');
    expect(kinds(admission)).toEqual([['model_renamed', 1]]);
  });

  it('that a run says are never those of models of other runs', async () => {
    const admission = open();
    const second = record('experiment', { id: IDS.job, model_id: MODEL });
    expect(await admission.admit(record('experiment', { model_id: MODEL }))).toMatchObject({ model_id: MODEL });
    expect(await admission.admit(second)).toMatchObject({ model_id: `${MODEL}-2` });
  });

  it('of a copy end with the digits of the new run', async () => {
    const admission = open({ isCopy: true, toId: () => SEED });
    expect(await nameOf(admission, MODEL)).toBe('ft-base-feedbeef');
    expect(admission.listChanges()[0]?.reason).toMatch(/copy/);
  });
});

it('no alias comes in, and each is told', async () => {
  const admission = open();
  const model = await admission.admit(record('model', { aliases: ['Qwen/Qwen3-8B', 'free'] }));
  expect(model).toMatchObject({ aliases: [] });
  expect(admission.listChanges()).toMatchObject([
    {
      kind: 'alias_dropped',
      named: [
        { of: MODEL, from: 'Qwen/Qwen3-8B', to: null },
        { of: MODEL, from: 'free', to: null },
      ],
    },
  ]);
});

describe('states', () => {
  const ACTIVE = EXPERIMENT_STATUSES.filter(isActiveStatus);
  it.each(ACTIVE)('a run that is %s has ended, and says why', async (status: ExperimentStatus) => {
    const admission = open();
    const items: FileItem[] = [
      record('job'),
      record('experiment', { status }),
      record('training', { reason: 'It waits.' }),
    ];
    const [, run, training] = await admitAll(admission, items);
    expect(run).toMatchObject({
      status: 'stopped',
      failure: expect.stringMatching(/^It was .* where this file was made\.$/),
    });
    expect(training).toMatchObject({ reason: null });
    expect(admission.listChanges()).toMatchObject([
      { kind: 'run_ended', named: [{ of: 'First / Run 1', from: status, to: 'stopped' }] },
    ]);
  });

  it.each(EXPERIMENT_STATUSES.filter((status) => !isActiveStatus(status)))(
    'a run that is %s stays so',
    async (status) => {
      const admission = open();
      expect(await admission.admit(record('experiment', { status, failure: 'x' }))).toMatchObject({
        status,
        failure: 'x',
      });
      expect(admission.listChanges()).toEqual([]);
    },
  );

  it('a job and a recommendation that go on have ended, the latter with the reason', async () => {
    const admission = open();
    const items: FileItem[] = [
      record('snapshot'),
      record('recommendation', { status: 'processing', error: null, finished_at: null }),
      record('job', { status: 'processing' }),
    ];
    const [, recommendation, job] = await admitAll(admission, items);
    expect(recommendation).toMatchObject({
      status: 'failed',
      error: 'It was being computed where this file was made. Generate it again.',
      finished_at: NOW.toISOString(),
    });
    expect(job).toMatchObject({ status: 'stopped' });
    expect(kinds(admission)).toEqual([
      ['job_ended', 1],
      ['recommendation_ended', 1],
    ]);
  });
});

it('a date in the future is that of the import, wherever it stands; clocks may differ by minutes', async () => {
  const admission = open();
  const far = '9990-01-01T00:00:00.000Z';
  const soon = new Date(NOW.getTime() + 4 * 60_000).toISOString();
  const now = NOW.toISOString();
  const point = record('points').points[0];
  if (!point) throw new Error('There is no point.');
  const items: FileItem[] = [
    record('project', { created_at: far }),
    record('dataset', { created_at: soon }),
    record('job'),
    record('experiment'),
    record('training', { started_at: far, ended_at: far }),
    record('points', {
      points: [
        { ...point, at: far },
        { ...point, step: 2, at: soon },
      ],
    }),
    record('note', { updated_at: far }),
  ];
  const [project, dataset, , , training, points, note] = await admitAll(admission, items);
  expect(project).toMatchObject({ created_at: now });
  expect(dataset).toMatchObject({ created_at: soon });
  expect(training).toMatchObject({ started_at: now, ended_at: now });
  expect(points).toMatchObject({ points: [{ at: now }, { at: soon }] });
  expect(note).toMatchObject({ updated_at: now });
  expect(admission.listChanges()).toMatchObject([
    {
      kind: 'date_moved',
      count: 5,
      named: [
        { of: 'Desk: created_at', from: far, to: now },
        { of: 'First / Run 1: started_at' },
        { of: 'First / Run 1: ended_at' },
        { of: 'First / Run 1: step 1' },
        { of: 'First: updated_at' },
      ],
    },
  ]);
});

it('tells another name of the project', async () => {
  const admission = open({ toFreeName: async (name) => `${name} (copy)` });
  expect(await admission.admit(record('project'))).toMatchObject({ name: 'Desk (copy)' });
  expect(admission.listChanges()).toMatchObject([
    { kind: 'project_renamed', named: [{ from: 'Desk', to: 'Desk (copy)' }] },
  ]);
});

it('counts all changes and names the first ones', async () => {
  const admission = open();
  await admission.admit(record('model', { aliases: Array.from({ length: 90 }, (_, at) => `alias ${at}`) }));
  const [change] = admission.listChanges();
  expect([change?.count, change?.named.length]).toEqual([90, NAMED_CHANGES]);
});

it('an evaluation names models as they are called here, and has own functions only of the owner', async () => {
  const checks = [
    { id: 'own', kind: 'function', name: 'Mine', expected: '() => true' },
    { id: 'judge', kind: 'judge', model: 'x', rubric: 'Kind.' },
  ] as const;
  const version = record('evaluation-version', { checks: [...checks] });
  for (const isOwner of [true, false]) {
    const admission = open({ isOwner });
    await admission.admit(record('model', { id: 'x' }));
    const evaluation = record('evaluation', { models: ['x', 'other'], baseline: 'x' });
    const name = 'ft-x-00000000';
    expect(await admission.admit(evaluation)).toMatchObject({ models: [name, 'other'], baseline: name });
    const judge = { ...checks[1], model: name };
    expect(await admission.admit(version)).toMatchObject({ checks: isOwner ? [checks[0], judge] : [judge] });
    const dropped = admission.listChanges().find(({ kind }) => kind === 'function_dropped');
    expect(dropped?.named ?? null).toEqual(isOwner ? null : [{ of: 'Tickets', from: 'Mine', to: null }]);
  }
});
