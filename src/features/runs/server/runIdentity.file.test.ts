import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { toEvidence, type RunEvidence } from './evidence.ts';
import { curve, events, losses, NOW, outputs } from './evidence.fixture.ts';
import { fakeReader, type FakeReader } from './fakeReader.fixture.ts';
import { joinRuns } from './joinRuns.ts';
import { openRunIds, toRootId, toRunUuid, type RunIdsMemory } from './runIdentity.ts';
import { openRunsCore } from './runsCore.ts';
import { atEnd, keepFolder } from '#service/files/keep.fixture.ts';

const ROOT = { id: toRootId('/r'), path: '/r', isFromFlag: true, grouping: { by: 'folder' }, measure: null } as const;

let folder: string;
beforeEach(() => void (folder = keepFolder()));
const started = (name: string): RunEvidence =>
  events('a', name, curve(losses(10, 60, 10), NOW), { startedAt: NOW, process: { host: 'gpu1', pid: 7 } });
const LOG = started('Aug22');
const OUTPUTS = outputs('a', { curves: new Map([['loss', curve(losses(10, 60, 10))]]) });

/** A start of the studio. */
async function start(used: readonly string[] = [], memory: string | null = folder) {
  const readers: FakeReader[] = [];
  let now = NOW;
  const core = openRunsCore({
    openReader: (path, onChange) => {
      const reader = fakeReader(path, [], onChange);
      reader.stateNow = 'scanning';
      readers.push(reader);
      return reader;
    },
    findProcess: () => 'unknown',
    now: () => (now += 1000),
  });
  atEnd(() => core.close());
  await core.setRoots([ROOT], { folder: memory, used });
  const [reader] = readers as [FakeReader];
  const list = async () => {
    const project = (await core.findProject(ROOT.id, null))!.project!;
    return project.children.flatMap(({ children }) =>
      children.flatMap((snapshot) => snapshot.children.flatMap((job) => job.children)),
    );
  };
  const read = async (...evidence: RunEvidence[]) => {
    reader.stateNow = 'watching';
    reader.put(evidence);
    return (await list()).map(({ id }) => id);
  };
  return { core, reader, list, read };
}

it('a run that was never seen has no id until all that may speak of it was read', async () => {
  const { reader, list, read } = await start();
  reader.put([OUTPUTS], [OUTPUTS.key]);
  expect(await list()).toEqual([]);
  reader.stateNow = 'watching';
  reader.put([OUTPUTS, LOG], [LOG.key]);
  expect(await list()).toEqual([]);
  const [id] = await read(OUTPUTS, LOG);
  const asked = await start([], null);
  expect(await asked.read(OUTPUTS, LOG)).toEqual([id]);
});

it('ids stay over a restart whatever is read first and whenever somebody asks', async () => {
  const first = await start();
  const [id] = await first.read(OUTPUTS, LOG);
  await vi.waitFor(async () => expect(await readdir(folder)).toHaveLength(1));
  const { reader, list, read } = await start();
  reader.put([OUTPUTS], [OUTPUTS.key]);
  expect(await list()).toMatchObject([{ id, status: 'pending' }]);
  reader.put([LOG], [LOG.key]);
  expect(await list()).toMatchObject([{ id }]);
  expect(await read(LOG, OUTPUTS)).toEqual([id]);
});

it('ids stay though a tracker came later than the run was first seen', async () => {
  const tracker = toEvidence({
    format: 'wandb',
    key: 'w',
    folder: 'a/wandb/w',
    trackerId: 'w',
    startedAt: NOW - 1,
    curves: LOG.curves,
  });
  const first = await start();
  const [id] = await first.read(LOG);
  expect(await first.read(LOG, tracker)).toEqual([id]);
  await vi.waitFor(async () => expect(await readdir(folder)).toHaveLength(1));
  const again = await start();
  expect(await again.read(tracker, LOG)).toEqual([id]);
});

it('an id of before under which somebody wrote a note stays, and is found by its other ids', async () => {
  const { read, core } = await start([], null);
  const [own] = await read(OUTPUTS, LOG);
  const old = toRunUuid(`${ROOT.id}  at hf-trainer a a`);
  expect(old).not.toBe(own);
  expect((await core.findRun(old))?.id).toBe(own);
  const noted = await start([old], null);
  expect(await noted.read(OUTPUTS, LOG)).toEqual([old]);
  expect((await noted.core.findRun(own!))?.id).toBe(old);
});

it('a damaged file of ids gives the ids that follow from the runs', async () => {
  const [id] = await (await start()).read(OUTPUTS, LOG);
  await vi.waitFor(async () => expect(await readdir(folder)).toHaveLength(1));
  await writeFile(join(folder, `${ROOT.id}.json`), '{"runs": [');
  expect(await (await start()).read(OUTPUTS, LOG)).toEqual([id]);
});

it('a folder for ids that cannot be written is a problem of the root', async () => {
  await writeFile(join(folder, 'file'), '');
  const { read, core } = await start([], join(folder, 'file'));
  await read(OUTPUTS);
  await vi.waitFor(async () =>
    expect((await core.listRoots())[0]?.problems[0]?.problem).toContain("The ids of its runs can't be kept"),
  );
});

const kept = (...evidence: RunEvidence[]): { ids: readonly (string | null)[]; memory: RunIdsMemory } => {
  const ids = openRunIds('root');
  return { ids: ids.assign(joinRuns(evidence, '/r')), memory: { kept: ids.kept() } };
};

it('a run in a folder that was emptied is another one, and the moved one keeps its id', () => {
  const log = (place: string, start: number): RunEvidence =>
    toEvidence({
      format: 'log',
      key: place,
      folder: place,
      curves: new Map([['loss', curve(losses(10, 60, 10, start), NOW)]]),
    });
  const { ids, memory } = kept(log('out', 2));
  const next = openRunIds('root', memory).assign(joinRuns([log('old', 2), log('out', 3)], '/r'));
  expect(next[0]).toBe(ids[0]);
  expect(next[1]).not.toBe(ids[0]);
});
