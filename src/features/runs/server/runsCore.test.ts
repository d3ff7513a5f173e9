import { describe, expect, it } from 'vitest';
import { runRootSchema } from '#features/runs/shared/runs.ts';
import { toEvidence, type Checkpoint, type RunEvidence } from './evidence.ts';
import { curve, events, losses, MINUTE, NOW, outputs, sign } from './evidence.fixture.ts';
import { Silence, type Place } from '#service/files/mountCalls.ts';
import { openRemoteCalls } from '#features/runs/server/disk/fileCalls.ts';
import { fakeReader, type FakeReader } from './fakeReader.fixture.ts';
import { toRootId } from './runIdentity.ts';
import { openRunsCore } from './runsCore.ts';
import type { OpenRoot, RunsCore } from './runsMessages.ts';

interface Opened {
  readonly core: RunsCore;
  readonly readers: Map<string, FakeReader>;
  advance(ms: number): void;
}

const rootOf = (path: string): OpenRoot => ({
  id: toRootId(path),
  path,
  isFromFlag: true,
  grouping: { by: 'folder' },
  measure: null,
});

async function open(byPath: Readonly<Record<string, readonly RunEvidence[]>>): Promise<Opened> {
  let now = NOW;
  const readers = new Map<string, FakeReader>();
  const core = openRunsCore({
    openReader(path, onChange) {
      const reader = fakeReader(path, byPath[path] ?? [], onChange);
      readers.set(path, reader);
      return reader;
    },
    findProcess: () => 'unknown',
    now: () => now,
  });
  await core.setRoots(Object.keys(byPath).map(rootOf));
  return { core, readers, advance: (ms) => void (now += ms) };
}

const A = toRootId('/a');

/** It does not answer. */
const silentPlace = { run: () => Promise.reject(new Silence(0)) } as unknown as Place;

const gguf = (path: string, step: number | null = null): Checkpoint => ({
  path,
  step,
  kind: 'gguf',
  bytes: 9,
  isComplete: true,
  measures: new Map(),
  savedAt: NOW,
});

describe('a root', () => {
  it('is reported with its formats, what was not understood, and problems', async () => {
    const odd = outputs('x', { problems: ['The state is cut.'] });
    const { core } = await open({ '/a': [odd, events('x', 'Aug22', curve([[1, 1]]))] });
    const [root] = await core.listRoots();
    expect(runRootSchema.safeParse(root).error).toBeUndefined();
    expect(root).toMatchObject({
      id: A,
      runs: 1,
      formats: [
        { format: 'hf-trainer', label: 'HF-TRAINER', runs: 1 },
        { format: 'tensorboard', runs: 1 },
      ],
      not_understood: [{ folder: 'photos', reason: 'It is empty.' }],
      problems: [
        { file: 'a/x.json', problem: 'It is not JSON.' },
        { file: 'x', problem: 'The state is cut.' },
      ],
    });
  });

  it('gives its tree once for a version, and another when a run comes or a job is grouped anew', async () => {
    const { core, readers, advance } = await open({ '/a': [outputs('x')] });
    const first = await core.findProject(A, null);
    expect(first?.project?.name).toBe('a');
    expect(await core.findProject(A, first!.version)).toEqual({ version: first!.version, project: null });
    readers.get('/a')!.put([outputs('x'), outputs('y')]);
    advance(1000);
    const second = await core.findProject(A, first!.version);
    expect(second?.project?.children[0]?.children[0]?.children[0]?.children).toHaveLength(2);
    await core.setRoots([{ ...rootOf('/a'), grouping: { by: 'pattern', pattern: '{}' } }]);
    expect((await core.findProject(A, second!.version))?.project).not.toBeNull();
    expect(await core.findProject(toRootId('/none'), null)).toBeNull();
  });

  it('shows a run as soon as its files are read, though runs were joined a moment ago', async () => {
    const { core, readers, advance } = await open({ '/a': [outputs('x')] });
    const countRuns = async () => (await core.listRoots())[0]?.runs;
    const long = events('y', 'Aug22', curve([[1, 3]]));
    expect(await countRuns()).toBe(1);
    readers.get('/a')!.put([outputs('x'), long], [long.key]);
    advance(1000);
    expect(await countRuns()).toBe(1);
    readers.get('/a')!.put([outputs('x'), long]);
    advance(450);
    expect(await countRuns()).toBe(2);
    readers.get('/a')!.put([outputs('x'), long, outputs('z')]);
    advance(450);
    expect(await countRuns()).toBe(2);
  });

  it('says that a run has stopped when time goes by', async () => {
    const { core, advance } = await open({ '/a': [outputs('x', { lastSignAt: NOW })] });
    const statusOf = async () => {
      const project = (await core.findProject(A, null))?.project;
      return project?.children[0]?.children[0]?.children[0]?.children[0]?.status;
    };
    expect(await statusOf()).toBe('running');
    advance(20 * MINUTE);
    expect(await statusOf()).toBe('stopped');
  });

  it('is closed when it is taken away', async () => {
    const { core, readers } = await open({ '/a': [], '/b': [] });
    await core.setRoots([rootOf('/b')]);
    expect([readers.get('/a')?.isClosed, readers.get('/b')?.isClosed]).toEqual([true, false]);
    expect(await core.listRoots()).toHaveLength(1);
  });
});

it('finds runs, jobs, snapshots and curves of any root', async () => {
  const { core } = await open({ '/a': [outputs('x')], '/b': [events('y', 'Aug22', curve([[1, 3]]))] });
  const tree = (await core.findProject(toRootId('/b'), null))!.project!;
  const snapshot = tree.children[0]!.children[0]!;
  const [job] = snapshot.children;
  const run = job!.children[0]!;
  expect(await core.findJob(job!.id)).toMatchObject({
    id: job!.id,
    snapshot_id: snapshot.id,
    experiments: [{ id: run.id }],
  });
  expect(await core.findRun(run.id)).toMatchObject({ id: run.id, label: 'y', root_id: toRootId('/b') });
  expect(await core.findSnapshotRoot(snapshot.id)).toBe('/b');
  expect([await core.findJob(A), await core.findRun(A), await core.findSnapshotRoot(A)]).toEqual([null, null, null]);
  const list = await core.findCurves({ runs: [run.id, A], names: ['loss'] });
  expect(list?.curves).toMatchObject([{ run_id: run.id, values: [3] }]);
  expect(await core.findCurves({ runs: [run.id, A], names: ['loss'], version: list!.version })).toBeNull();
});

it('gives what a resumed run trained again as metrics of their own, and counts it in no figure', async () => {
  const first = events('y', 'a', curve(losses(10, 40, 10)), {
    startedAt: NOW - 60 * MINUTE,
    endedAt: NOW - 50 * MINUTE,
  });
  const second = events('y', 'b', curve(losses(30, 60, 10, 1)), {
    startedAt: NOW - 40 * MINUTE,
    endedAt: NOW - 30 * MINUTE,
  });
  const { core } = await open({ '/a': [outputs('y'), first, second] });
  const tree = (await core.findProject(toRootId('/a'), null))!.project!;
  const run = tree.children[0]!.children[0]!.children[0]!.children[0]!;
  const list = await core.findCurves({ runs: [run.id], names: ['loss', 'replaced/loss'] });
  expect(list?.curves.map(({ name, steps }) => [name, steps])).toEqual([
    ['loss', [10, 20, 30, 40, 50, 60]],
    ['replaced/loss', [30, 40]],
  ]);
  expect(list?.names).toEqual([
    { name: 'loss', runs: 1 },
    { name: 'replaced/loss', runs: 1 },
  ]);
  expect((await core.findRun(run.id))?.metrics.map(({ name }) => name)).toEqual(['loss']);
});

it('offers GGUF files under names of their own', async () => {
  const run = (folder: string, ...checkpoints: Checkpoint[]): RunEvidence =>
    toEvidence({ format: 'hf', key: folder, folder, checkpoints, signs: [sign('finished')] });
  const { core } = await open({
    '/a': [
      run('x', gguf('x/m.Q4.gguf'), gguf('x/m.Q8.gguf'), gguf('x/5.gguf', 5), {
        ...gguf('x/6.gguf', 6),
        isComplete: false,
      }),
      run('y z', gguf('y z/w.gguf')),
    ],
    '/b': [run('y z', gguf('y z/w.gguf'))],
  });
  expect((await core.listModels()).map(({ id, path }) => [id, path])).toEqual([
    ['runs/x-step-5', '/a/x/5.gguf'],
    ['runs/x-m.Q4', '/a/x/m.Q4.gguf'],
    ['runs/x-m.Q8', '/a/x/m.Q8.gguf'],
    ['runs/y-z', '/a/y z/w.gguf'],
  ]);
  const [, second] = (await core.findProject(A, null))!.project!.children[0]!.children[0]!.children[0]!.children;
  expect(second?.metadata.model_id).toBe('runs/y-z');
});

it('says of the runs of a folder whose mount hangs since when, and keeps them and their models as they were', async () => {
  const run = toEvidence({
    format: 'hf',
    key: 'x',
    folder: 'x',
    checkpoints: [gguf('x/m.gguf')],
    signs: [sign('finished')],
  });
  const { core, readers, advance } = await open({ '/a': [run], '/b': [run] });
  const [node] = (await core.findProject(A, null))!.project!.children[0]!.children[0]!.children[0]!.children;
  const before = await core.findRun(node!.id);
  expect(await core.listModels()).toHaveLength(1);
  Object.assign(readers.get('/a')!, {
    silentSince: Date.UTC(2026, 0, 2, 10, 42, 7),
    calls: openRemoteCalls(silentPlace),
  });
  advance(3_600_000);
  const { problems, ...now } = (await core.findRun(node!.id))!;
  expect(problems[0]).toBe(
    'The disk or network mount of /a has not answered since 10:42:07 UTC: this is what was read before. Check the mount; ' +
      'the run is read on when it answers.',
  );
  expect({ ...now, problems: problems.slice(1) }).toEqual(before);
  expect(await core.listModels()).toMatchObject([{ path: '/a/x/m.gguf' }]);
});
