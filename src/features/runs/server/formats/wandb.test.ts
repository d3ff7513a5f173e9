import { describe, expect, it } from 'vitest';
import { openClaims, readRuns, toPoints, toValues } from './folder.fixture.ts';
import { wandb } from './wandb.ts';
import {
  configRecord,
  exitRecord,
  FAILED_FOLDER,
  FAILED_LOG,
  failedLog,
  FINISHED_FOLDER,
  FINISHED_LOG,
  finishedLog,
  historyRecord,
  metricRecord,
  runRecord,
  summaryRecord,
  toMessage,
  toWandbFile,
} from './wandb.fixture.ts';

const PATH = 'wandb/offline-run-20260101_000000-abc/run-abc.wandb';
const readRecords = (records: readonly Uint8Array[], beside: Readonly<Record<string, string>> = {}) =>
  readRuns(wandb, { [PATH]: toWandbFile(records), ...beside })[0];
const row = (step: number, loss: unknown, counter: number) =>
  historyRecord({ 'train/loss': loss, 'train/global_step': step, _timestamp: 1_700_000_000 + counter }, counter);

describe('a recorded run', () => {
  const [run] = readRuns(wandb, { [FINISHED_LOG]: finishedLog() });

  it('has its curves by step, with NaN and infinities', () => {
    expect(toPoints(run)).toEqual({
      loss: [
        [10, 2.5],
        [20, 1.5],
        [30, 0.75],
      ],
      grad_norm: [
        [10, 0.5],
        [20, Number.NaN],
        [30, 0.5],
      ],
      learning_rate: [
        [10, 2e-4],
        [20, 1e-4],
        [30, 0],
      ],
      'eval/loss': [[30, Infinity]],
      'eval/runtime': [[30, 1.5]],
    });
    expect(toValues(run?.summary)).toEqual({ train_runtime: 12.5, total_flos: 1e15, train_loss: 1.58 });
    expect(run?.progress).toEqual({ step: 30, totalSteps: null, epoch: 3, totalEpochs: 3 });
  });

  it('has its name, group, settings and machine', () => {
    expect(run).toMatchObject({
      key: FINISHED_FOLDER,
      folder: FINISHED_FOLDER,
      trackerId: /run-(\w+)\.wandb$/.exec(FINISHED_LOG)?.[1],
      curveSource: { file: FINISHED_LOG, place: 'history' },
      name: { value: 'cats lora', source: { file: FINISHED_LOG, place: 'run record' } },
      group: { value: 'pets / pair' },
      tags: ['lora', 'try 2'],
      outputDir: { value: './outputs/cats', source: { file: FINISHED_LOG, place: 'config' } },
      baseModel: { value: 'Qwen/Qwen3-0.6B' },
      isAdapter: { value: true },
      process: { host: 'vm', pid: null },
      resumedFrom: null,
      problems: [],
    });
    expect(toValues(run?.parameters)).toMatchObject({ learning_rate: 2e-4, max_steps: -1, eos_token_id: 151645 });
    expect(toValues(run?.environment)).toMatchObject({ python: 'CPython 3.11.7' });
  });

  it('leaves out tokens', () => {
    expect([...(run?.parameters.keys() ?? [])].filter((name) => name.includes('hub'))).toEqual([]);
  });

  it('finished, by its exit record and its summary', () => {
    expect(run?.signs.map(({ kind, reason }) => [kind, reason])).toEqual([
      ['finished', 'exit code 0'],
      ['finished', 'train/train_runtime was logged'],
    ]);
    expect(run?.endedAt).toBeGreaterThanOrEqual(run?.startedAt ?? Infinity);
  });

  it('failed, with the error that it printed', () => {
    const [failed] = readRuns(wandb, { [FAILED_LOG]: failedLog() });
    expect(failed?.key).toBe(FAILED_FOLDER);
    expect(failed?.signs).toMatchObject([{ kind: 'failed', reason: 'exit code 1: ValueError: bad batch' }]);
  });

  it('is the same when it comes byte by byte', () => {
    const [reading] = openClaims(wandb, { [FINISHED_LOG]: finishedLog() });
    for (const [index, byte] of finishedLog().entries()) {
      reading?.take(FINISHED_LOG, Uint8Array.of(byte), index === 0);
    }
    const [grown] = reading?.runs ?? [];
    expect(toPoints(grown)).toEqual(toPoints(run));
    expect(grown?.signs).toEqual(run?.signs);
    expect(grown?.parameters).toEqual(run?.parameters);
  });

  it('has no end before its exit record, and keeps what came before', () => {
    const bytes = finishedLog();
    const [half] = readRuns(wandb, { [FINISHED_LOG]: bytes.subarray(0, bytes.length / 2) });
    expect(half?.signs).toEqual([]);
    expect(toPoints(half)['loss']?.[0]).toEqual([10, 2.5]);
    expect(half?.problems).toEqual([]);
  });
});

describe('records', () => {
  it('go on across blocks of 32 KiB, wherever one begins', () => {
    for (const filler of [32_700, 32_733, 32_740, 32_746, 32_747, 100_000]) {
      const run = readRecords([
        configRecord({ note: 'x'.repeat(filler) }),
        ...Array.from({ length: 40 }, (_, index) => row(index, 1, index)),
        exitRecord(0),
      ]);
      expect([filler, run?.curves.get('loss')?.length, run?.signs[0]?.kind]).toEqual([filler, 40, 'finished']);
    }
  });

  it('name the project, the sweep and the run that was resumed', () => {
    const run = readRecords([
      runRecord([
        [1, 'abc'],
        [3, 'pets'],
        [12, 'sw1'],
        [18, 1],
      ]),
    ]);
    expect(run).toMatchObject({ name: null, group: { value: 'pets / sweep sw1' }, resumedFrom: 'abc' });
    const fork = runRecord([
      [1, 'abc'],
      [23, toMessage([[1, 'origin']])],
    ]);
    expect(readRecords([fork])?.resumedFrom).toBe('origin');
  });

  it('of an exit that only one process of several wrote are no end', () => {
    expect(readRecords([row(1, 1, 0), exitRecord(0, true)])?.signs).toEqual([]);
  });

  it('say that a person stopped it', () => {
    expect(readRecords([exitRecord(255)])?.signs).toMatchObject([{ kind: 'interrupted', reason: 'exit code 255' }]);
    expect(readRecords([exitRecord(-9)])?.signs).toMatchObject([{ kind: 'failed', reason: 'exit code -9' }]);
  });

  it('use the own counter where no step is named, and lose nothing where steps begin again', () => {
    const run = readRecords([
      historyRecord({ other: 3, _step: 7, 'tables>accuracy': 0.5, image: { _type: 'image' } }, 7),
      row(10, 2, 8),
      row(20, 1, 9),
      row(10, 1.5, 10),
      row(20, 1.25, 11),
    ]);
    expect(toPoints(run)).toEqual({
      other: [[7, 3]],
      loss: [
        [10, 2],
        [20, 1],
        [30, 1.5],
        [40, 1.25],
      ],
      'tables.accuracy': [[7, 0.5]],
    });
    expect(run?.problems).toEqual([expect.stringContaining('The steps begin again at the first one, once.')]);
  });

  it('of evaluations that came in another order are in the order of their steps', () => {
    const steps = [1000, 10_000, 11_000, 2000, 3000];
    const run = readRecords(
      steps.map((step, at) => historyRecord({ 'eval/acc': step / 20_000, global_step: step }, at)),
    );
    expect(toPoints(run)['eval/acc']?.map(([step]) => step)).toEqual([1000, 2000, 3000, 10_000, 11_000]);
    expect(run?.problems).toEqual([]);
  });

  it('are at the step that define_metric names, which is no measure itself', () => {
    const run = readRecords([
      metricRecord('train/*', 'train/iter'),
      metricRecord('eval/loss', 'eval/at_iter'),
      metricRecord('best', ''),
      metricRecord('late', 'epoch'),
      historyRecord({ 'train/loss': 2, 'train/iter': 10, late: 5, epoch: 1 }, 0),
      historyRecord({ 'train/loss': 1, 'train/iter': 20, best: 3, other: 4 }, 1),
      historyRecord({ 'eval/loss': 1.5, 'eval/at_iter': 20, 'train/lost': 1 }, 2),
    ]);
    expect(toPoints(run)).toEqual({
      loss: [
        [10, 2],
        [20, 1],
      ],
      late: [[0, 5]],
      best: [[1, 3]],
      other: [[1, 4]],
      'eval/loss': [[20, 1.5]],
      lost: [[20, 1]],
    });
  });

  it('of the summary are figures of the run, but for the last values of rows', () => {
    const run = readRecords([
      runRecord([
        [1, 'abc'],
        [3, 'pets'],
        [7, 'tuning'],
        [9, 'a note of mine'],
      ]),
      historyRecord({ loss: 2, 'nested>a': 1 }, 0),
      summaryRecord({
        loss: 2,
        'nested>a': 1,
        _step: 0,
        best: 0.5,
        'deep>x': 1,
        'train/train_runtime': 12.5,
        word: '"x"',
      }),
      summaryRecord({ best: 0.75 }),
    ]);
    expect(toValues(run?.summary)).toEqual({ best: 0.75, 'deep.x': 1, train_runtime: 12.5 });
    expect(run?.signs).toMatchObject([{ kind: 'finished', reason: 'train/train_runtime was logged' }]);
    expect(run?.notes?.value).toBe('a note of mine');
    expect(toValues(run?.parameters)).toEqual({ job_type: 'tuning' });
  });

  it('of tables and images are no measures', () => {
    const media = {
      'table>_type': '"table-file"',
      'table>ncols': 2,
      'table>nrows': 5,
      'html>size': 9,
      'html>_type': '"html-file"',
    };
    const run = readRecords([historyRecord({ loss: 2, 'tables>ncols': 1, ...media }, 0)]);
    expect(Object.keys(toPoints(run))).toEqual(['loss', 'tables.ncols']);
  });

  it('has a curve of a training loss under any of its names', () => {
    const run = readRecords([1, 2, 3].map((step) => historyRecord({ train_loss: 2 / step, val_loss: step }, step)));
    expect(Object.keys(toPoints(run))).toEqual(['loss', 'eval/loss']);
    expect(run?.summary.size).toBe(0);
  });

  it('are not looked for in a folder of SwanLab, which has the names of one of W&B', () => {
    const folder = 'swanlog/run-20261128_100000-abc';
    const files = { 'files/config.yaml': 'lr: {desc: "", sort: 0, value: 1}', 'files/requirements.txt': 'torch==2.15' };
    const beside = Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));
    expect(openClaims(wandb, { ...beside, [`${folder}/run-abc.swanlab`]: 'x' })).toEqual([]);
    expect(openClaims(wandb, { [`${folder}/files/requirements.txt`]: 'torch==2.15' })).toEqual([]);
  });

  it('that are damaged are passed over, and the loss is told', () => {
    const rows = Array.from({ length: 2000 }, (_, index) => row(index, 1, index));
    const bytes = toWandbFile(rows);
    bytes[40_000] = (bytes[40_000] ?? 0) ^ 0xff;
    const [run] = readRuns(wandb, { [PATH]: bytes });
    expect(run?.curves.get('loss')?.length).toBeGreaterThan(1000);
    expect(run?.curves.get('loss')?.length).toBeLessThan(2000);
    expect(run?.problems).toHaveLength(1);
    expect(readRecords([Uint8Array.of(0x12, 0xff, 0xff), row(1, 1, 0)])).toMatchObject({
      problems: [expect.any(String)],
    });
  });

  it('hold JSON that is damaged, foreign or huge', () => {
    const run = readRecords([
      configRecord({ good: 1, bad: '{"a":', big: `"${'y'.repeat(100_000)}"`, wandb_api_key: '"s"' }),
      row(1, '"text"', 0),
      row(2, 'true', 1),
      row(3, 'nul', 2),
      row(4, 1e300, 3),
    ]);
    expect([...(run?.parameters.keys() ?? [])]).toEqual(['good', 'big']);
    expect(String(run?.parameters.get('big')?.value).length).toBeLessThan(5000);
    expect(toPoints(run)['loss']).toEqual([[4, 1e300]]);
  });
});

it('is no run if the file is of another kind', () => {
  const [reading] = openClaims(wandb, { [PATH]: 'no W&B file' });
  expect(() => reading?.take(PATH, 'no W&B file')).toThrow('not a W&B file');
});

it('begins again when the file was replaced', () => {
  const [reading] = openClaims(wandb, { [PATH]: '' });
  reading?.take(PATH, toWandbFile([row(1, 1, 0), exitRecord(0)]));
  reading?.take(PATH, toWandbFile([row(5, 2, 0)]));
  expect(toPoints(reading?.runs[0])['loss']).toEqual([[5, 2]]);
  expect(reading?.runs[0]?.signs).toEqual([]);
});

it('reads the files of an online run whose log is gone', () => {
  const folder = 'wandb/run-20260101_000000-abc/files';
  const files = {
    [`${folder}/config.yaml`]:
      '_wandb:\n    value:\n        t: [1]\nlearning_rate:\n    value: 0.0002\nhub_token:\n    value: hf_x\nmax_steps:\n    value: 50\n',
    [`${folder}/wandb-summary.json`]: '{"train/loss":0.5,"train/global_step":50,"_timestamp":1700000000.5,"x":NaN}',
    [`${folder}/wandb-metadata.json`]: '{"os":"Linux","gpu":"NVIDIA H100","gpu_count":2,"host":"box","email":"a@b.c"}',
    [`${folder}/requirements.txt`]: 'torch==2.9.0\nnumpy==2.0.0\nFlash_Attn==2.8.1\n',
  };
  const [run] = readRuns(wandb, files);
  expect(toValues(run?.parameters)).toEqual({ learning_rate: 2e-4, max_steps: 50 });
  expect(toPoints(run)).toEqual({ loss: [[50, 0.5]], x: [[50, Number.NaN]] });
  expect(toValues(run?.environment)).toEqual({
    os: 'Linux',
    gpu: 'NVIDIA H100',
    gpu_count: '2',
    torch: '2.9.0',
    'flash-attn': '2.8.1',
  });
  expect(run).toMatchObject({ process: { host: 'box' }, progress: { step: 50, totalSteps: 50 }, signs: [] });
});

it('does not take a link to the newest run for another run', () => {
  expect(openClaims(wandb, { 'wandb/latest-run/run-abc.wandb': '' })).toEqual([]);
  expect(openClaims(wandb, { 'files/requirements.txt': '' })).toEqual([]);
});
