// What the thread puts together, on a folder with all that may be wrong with one: real formats, a real disk. It is said,
// survived, and nothing wrong is shown. The parts have tests of their own in `disk/` and `formats/`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { localCalls, type FileCalls } from '#features/runs/server/disk/fileCalls.ts';
import { fakeRoot, type FakeRoot } from '#features/runs/server/disk/fakeRoot.fixture.ts';
import { openRootReader } from '#features/runs/server/disk/rootReader.ts';
import { ALL_FORMATS } from '#features/runs/server/formats/allFormats.ts';
import { logRows, trainerState } from '#features/runs/server/formats/hfTrainer.fixture.ts';
import { bar, printDict } from '#features/runs/server/formats/stdoutLog.fixture.ts';
import { hfEventFile, SUMMARY_VALUES, trainRows } from '#features/runs/server/formats/tfevents.fixture.ts';
import { openRunsCore } from './runsCore.ts';
import type { RunsCore } from './runsMessages.ts';

const ID = '0f0e0d0c-0b0a-4908-8706-050403020100';
const START = 1_787_393_224;
const YESTERDAY = Date.now() - 86_400_000;
const NEXT_CENTURY = Date.UTC(2126, 0, 1);
const END = { step: 160, values: SUMMARY_VALUES };
/** Arabic, Hindi, Japanese, an emoji of several characters, and letters with marks of their own. */
const NAMES = ['تجربة-١', 'परीक्षण', '実験-七', '👩‍🔬 run', 'ä-decomposed'.normalize('NFD')];

let root: FakeRoot;
let outside: FakeRoot;
let core: RunsCore;
/** Below this folder, the system refuses. */
const DENIED = 'denied';

const refuse = (path: string): void => {
  if (path.includes(`/${DENIED}/`))
    throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES', syscall: 'open' });
};

const calls: FileCalls = {
  ...localCalls,
  open(path) {
    refuse(path);
    return localCalls.open(path);
  },
};

beforeEach(() => {
  root = fakeRoot();
  outside = fakeRoot();
  core = openRunsCore({
    openReader: (path, onChange) => openRootReader(path, { formats: ALL_FORMATS, onChange, calls }),
    findProcess: () => 'unknown',
  });
});

afterEach(async () => {
  await core.close();
  root.close();
  outside.close();
});

const eventPath = (folder: string, start: number): string =>
  `${folder}/runs/Aug22_10-07-04_box/events.out.tfevents.${start}.box.41.0`;

async function read() {
  await core.setRoots([{ id: ID, path: root.folder, isFromFlag: true, grouping: { by: 'folder' }, measure: null }]);
  await core.look();
  const project = (await core.findProject(ID, null))?.project;
  const nodes = (project?.children ?? []).flatMap((data) =>
    data.children.flatMap((snapshot) => snapshot.children.flatMap((job) => job.children)),
  );
  const runs = await Promise.all(nodes.map(({ id }) => core.findRun(id)));
  const [report] = await core.listRoots();
  return { report: report!, runs: runs.flatMap((run) => run ?? []) };
}

it('is survived, with what is wrong said', async () => {
  for (const name of NAMES) root.write(`names/${name}/trainer_state.json`, trainerState(50), YESTERDAY);
  root.link('names/loop', '..');
  outside.write('secret/trainer_state.json', trainerState(100));
  root.link('way-out', join(outside.folder, 'secret'));

  const rows = [...logRows(40), { step: 50, loss: Number.NaN }, { step: 60, loss: Number.POSITIVE_INFINITY }];
  root.write('diverged/trainer_state.json', trainerState(60, { log_history: rows }), YESTERDAY);

  root.write('huge/checkpoint-10/trainer_state.json', trainerState(10), YESTERDAY);
  root.write('huge/train.log', '');
  root.resize('huge/train.log', 5 * 1024 ** 3);
  root.append(
    'huge/train.log',
    `\n${bar(20, 100)}\n${printDict({ loss: 1.25, epoch: 0.2 }, 5)}\n${bar(20, 100)}\n`,
    YESTERDAY,
  );

  root.write('clock/trainer_state.json', trainerState(50), NEXT_CENTURY);

  root.write(eventPath('two', START), hfEventFile(START, [...trainRows(16), END]), YESTERDAY);
  root.write(eventPath('two', START + 9000), hfEventFile(START + 9000, trainRows(5)), YESTERDAY);

  root.write(`${DENIED}/trainer_state.json`, trainerState(50), YESTERDAY);
  root.write('cut/trainer_state.json', trainerState(50).slice(0, 700), YESTERDAY);
  root.write(eventPath('garbage', START), new Uint8Array(4096).fill(255), YESTERDAY);
  // A folder where a file is wanted.
  mkdirSync(join(root.folder, 'odd', 'trainer_state.json'), { recursive: true });
  writeFileSync(join(root.folder, 'odd', 'training_args.bin'), 'x');

  const { report, runs } = await read();
  expect(report.state).toBe('watching');

  const byFolder = new Map<string, typeof runs>();
  for (const run of runs) byFolder.set(run.folder, [...(byFolder.get(run.folder) ?? []), run]);
  // Each once, and none from outside or through the loop.
  expect(NAMES.map((name) => byFolder.get(`names/${name}`)?.length)).toEqual(NAMES.map(() => 1));
  expect([...byFolder.keys()].filter((folder) => folder.includes('loop') || folder.includes('way-out'))).toEqual([]);
  expect(JSON.stringify(report.not_understood)).toContain('way-out');

  expect(byFolder.get('diverged')?.[0]).toMatchObject({ status: expect.stringMatching(/failed|stopped/) });
  const { id: diverged } = byFolder.get('diverged')![0]!;
  const curves = await core.findCurves({ runs: [diverged], names: ['loss'] });
  expect(curves?.curves[0]?.values.slice(-2)).toEqual(['NaN', 'Infinity']);

  const huge = byFolder.get('huge')?.[0];
  expect(huge?.step).toBe(20);
  expect(JSON.stringify([huge?.problems, report.problems])).toContain('is long');

  // The date is not believed: nothing is said to have happened in another century.
  expect(byFolder.get('clock')?.[0]?.status_reason).toContain('in the future');
  expect(byFolder.get('two')).toHaveLength(2);

  const said = JSON.stringify([report.problems, runs.map(({ problems }) => problems)]);
  expect(said).toContain(`${DENIED}/trainer_state.json can't be read: permission denied`);
  expect(said).toContain('cut/trainer_state.json');
  expect(said).toContain('garbage');
});

it('whose files vanish while they are read keeps the others', async () => {
  for (let run = 0; run < 30; run += 1) {
    root.write(`r${run}/checkpoint-50/trainer_state.json`, trainerState(50), YESTERDAY);
    root.write(eventPath(`r${run}`, START + run), hfEventFile(START + run, [...trainRows(16), END]), YESTERDAY);
  }
  let opened = 0;
  const vanishing: FileCalls = {
    ...localCalls,
    open(path) {
      opened += 1;
      // As a trainer that keeps only its last checkpoint.
      if (opened % 5 === 0) root.remove(`r${opened / 5}`);
      return localCalls.open(path);
    },
  };
  await core.close();
  core = openRunsCore({
    openReader: (path, onChange) => openRootReader(path, { formats: ALL_FORMATS, onChange, calls: vanishing }),
    findProcess: () => 'unknown',
  });
  await read();
  const { report, runs } = await read();
  const left = [...root.view().folders.keys()];
  expect(left.length).toBeLessThan(30);
  expect([...new Set(runs.map(({ folder }) => folder))].toSorted()).toEqual(left.toSorted());
  expect(report.problems).toEqual([]);
});
