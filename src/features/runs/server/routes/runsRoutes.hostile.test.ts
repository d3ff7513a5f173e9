// Folders that nobody should trust, read by the real worker and answered over real HTTP: every answer keeps its schema,
// and says what is wrong.
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jobSchema } from '#core/contract/job.ts';
import { curveListSchema, runRootListSchema, runSchema, type Run, type RunRoot } from '#features/runs/shared/runs.ts';
import { projectResponseSchema, type ExperimentNode, type JobNode } from '#core/contract/tree.ts';
import { trainerState } from '#features/runs/server/formats/hfTrainer.fixture.ts';
import { printLog } from '#features/runs/server/formats/stdoutLog.fixture.ts';
import { hfEventFile, scalar, trainRows } from '#features/runs/server/formats/tfevents.fixture.ts';
import type { Runs } from '#features/runs/server/runs.ts';
import { openRuns } from '#features/runs/server/runsClient.ts';
import { openTestService, type TestService } from '#service/http/testService.fixture.ts';

const FUTURE = Date.UTC(2099, 0, 1) / 1000;
const START = 1_790_000_000;
const isRootUser = process.getuid?.() === 0;

/** Names of folders as people and programs make them. */
const NAMES = [
  '<img src=x onerror=alert(1)>',
  '&lt;b&gt; "quoted" \'; DROP TABLE runs;--',
  '../..'.replaceAll('/', '∕'),
  '%2e%2e%2f',
  '${7*7} {{7*7}}',
  'прогон-один',
  '訓練 一',
  'تشغيل ١',
  'הרצה',
  'การฝึก',
  'परीक्षण',
  '🦙👩‍🔬',
  'e\u0301 and é',
  'line\nbreak\ttab',
  'right\u202eto left',
  '__proto__',
  'constructor',
  ' spaces ',
  'x'.repeat(250),
];

let folder = '';
let runs: Runs;
let service: TestService;
let root: RunRoot;

function write(path: string, content: string | Uint8Array): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

const eventFile = (start: number, pid: number): string => `events.out.tfevents.${start}.far-away.${pid}.0`;
const finals = Buffer.concat([
  scalar(START + 100, 60, 'train/loss', Number.NaN),
  scalar(START + 110, 70, 'train/loss', Number.POSITIVE_INFINITY),
  scalar(START + 120, 80, 'train/grad_norm', Number.NEGATIVE_INFINITY),
]);

function fill(): void {
  for (const [at, name] of NAMES.entries())
    write(`names/${name}/${eventFile(START + at, 100 + at)}`, hfEventFile(START + at, trainRows(3), { args: null }));
  symlinkSync('..', join(folder, 'names', 'up'));
  symlinkSync('self', join(folder, 'self'));
  symlinkSync('/etc', join(folder, 'outside'));
  write('big/checkpoint-100/trainer_state.json', trainerState(100));
  const log = write('big/train.log', 'started\n');
  truncateSync(log, 5 * 10 ** 9);
  appendFileSync(log, `\n${printLog([{ step: 110, values: { loss: 0.5, epoch: 1.1 } }], 200)}`);
  write(`broken/${eventFile(START, 7)}`, Buffer.concat([hfEventFile(START, trainRows(5), { args: null }), finals]));
  write('bare/checkpoint-100/trainer_state.json', trainerState(100).replace(/"loss": [\d.]+/, '"loss": NaN'));
  const future = write(`future/${eventFile(FUTURE, 8)}`, hfEventFile(FUTURE, trainRows(3), { args: null }));
  utimesSync(future, FUTURE, FUTURE);
  for (const start of [START, START + 5000])
    write(`twice/${eventFile(start, 9)}`, hfEventFile(start, trainRows(4), { args: null }));
  write(`cut/${eventFile(START, 10)}`, hfEventFile(START, trainRows(4), { args: null }).subarray(0, 400));
  write(`noise/${eventFile(START, 11)}`, Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919) % 251)));
  write('cut-json/checkpoint-5/trainer_state.json', '{"global_step": 5, "log_history": [{"loss": 1');
  write(`closed/${eventFile(START, 12)}`, hfEventFile(START, trainRows(3)));
  chmodSync(join(folder, 'closed'), 0);
}

async function read<Value>(
  schema: { readonly parse: (value: unknown) => Value },
  path: string,
  body?: object,
): Promise<Value> {
  const answer = body ? await service.post(path, body) : await service.askSigned(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return schema.parse(answer.json());
}

async function readTree(): Promise<{ jobs: JobNode[]; experiments: ExperimentNode[] }> {
  const { project } = await read(projectResponseSchema, `/api/v1/public/projects/${root.id}`);
  const jobs = project.children.flatMap(({ children }) => children.flatMap((snapshot) => snapshot.children));
  return { jobs, experiments: jobs.flatMap(({ children }) => children) };
}

const readRuns = async (): Promise<Run[]> =>
  Promise.all((await readTree()).experiments.map(({ id }) => read(runSchema, `/api/v1/studio/runs/${id}`)));

const runIn = async (inFolder: string): Promise<Run[]> =>
  (await readRuns()).filter((run) => run.folder === inFolder || run.folder.startsWith(`${inFolder}/`));

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'model-studio-hostile-')));
  fill();
  runs = await openRuns({ folders: [folder], dataDir: null, report: () => {} });
  await runs.look();
  service = await openTestService({ runs });
  [root] = (await read(runRootListSchema, '/api/v1/studio/run-roots')).roots as [RunRoot];
}, 60_000);

afterAll(async () => {
  await service?.close();
  await runs?.close();
  chmodSync(join(folder, 'closed'), 0o700);
  rmSync(folder, { recursive: true });
});

describe('a folder of hostile runs', () => {
  it('is a tree, jobs, runs and curves that keep their schemas', async () => {
    const { jobs, experiments } = await readTree();
    for (const { id } of jobs) await read(jobSchema, `/api/v1/public/finetuning/${id}`);
    const all = await readRuns();
    expect(all.every(({ status_reason: reason }) => reason.endsWith('.'))).toBe(true);
    const names = ['loss', 'grad_norm', '__proto__'];
    const { curves } = await read(curveListSchema, '/api/v1/studio/curves', {
      runs: experiments.map(({ id }) => id),
      names,
    });
    expect(curves.length).toBeGreaterThan(NAMES.length);
    expect(new Set(experiments.map(({ id }) => id)).size).toBe(experiments.length);
  });

  it('has a run for each name, whatever the script, once although a link leads back', async () => {
    const found = (await runIn('names')).map((run) => run.folder.slice('names/'.length));
    expect(found.toSorted()).toEqual(NAMES.toSorted());
    expect((await readRuns()).filter((run) => run.folder.startsWith('outside'))).toEqual([]);
  });

  it('shows numbers that JSON can not have as words', async () => {
    const [run] = await runIn('broken');
    const { curves } = await read(curveListSchema, '/api/v1/studio/curves', {
      runs: [run!.id],
      names: ['loss', 'grad_norm'],
    });
    expect(curves.map(({ values }) => values.filter((value) => typeof value === 'string'))).toEqual([
      ['-Infinity'],
      ['NaN', 'Infinity'],
    ]);
    expect(run!.metrics.find(({ name }) => name === 'loss')).toMatchObject({ last: 'Infinity', lowest: 1.96 });
  });

  it('reads the end of a log of 5 GB, and says so', async () => {
    const [run] = await runIn('big');
    expect(run).toMatchObject({ step: 110 });
    expect(root.problems.map(({ problem }) => problem)).toContainEqual(
      expect.stringMatching(/^big\/train\.log is long: its first 4,7\d\d MiB are not read/),
    );
  });

  it('says that a clock is wrong', async () => {
    const [run] = await runIn('future');
    expect(run?.status_reason).toMatch(/clock|future/);
    expect(run?.is_status_certain).toBe(false);
  });

  it('tells two runs of one folder apart', async () => {
    const found = await runIn('twice');
    expect(found.map(({ metrics }) => metrics.find(({ name }) => name === 'loss')?.points)).toEqual([4, 4]);
    expect(new Set(found.map(({ label }) => label)).size).toBe(2);
  });

  it('says which files are damaged or cut off', async () => {
    const texts = [
      ...(await readRuns()).flatMap(({ problems }) => problems),
      ...root.problems.map((each) => each.problem),
    ];
    expect(texts.join('\n')).toMatch(/tfevents\.\d+\.far-away\.11\.0 is damaged at byte 0/);
    expect(texts.join('\n')).toMatch(/not complete JSON/);
    expect((await runIn('cut')).map(({ metrics }) => metrics.length > 0)).toEqual([true]);
  });

  it.skipIf(isRootUser)('says that a folder may not be read', () => {
    const said = [
      ...root.problems.map(({ file, problem }) => `${file} ${problem}`),
      ...root.not_understood.map((each) => `${each.folder} ${each.reason}`),
    ];
    expect(said.join('\n')).toMatch(/closed can't be read: permission denied/);
  });

  it('goes on when files vanish while they are read', async () => {
    const before = await readTree();
    for (const name of ['broken', 'bare', 'cut']) rmSync(join(folder, name), { recursive: true });
    // A run of this tree may be gone before somebody asks for it.
    const [during] = await Promise.all([readTree(), runs.look()]);
    expect(during.experiments.length).toBeLessThanOrEqual(before.experiments.length);
    const left = (await readRuns()).map((run) => run.folder);
    expect(left.filter((name) => /^(broken|bare|cut)$/.test(name))).toEqual([]);
    expect(left).toContain('future');
  });
});
