import { describe, expect, it } from 'vitest';
import type { RunEvidence } from '#features/runs/server/evidence.ts';
import { MODIFIED_AT, pointsOf, readRuns, type TestFiles } from './folder.fixture.ts';
import { checkpoint } from './hfTrainer.fixture.ts';
import { bar, printDict, printedRows, printLog, TRACEBACK } from './stdoutLog.fixture.ts';
import { stdoutFormat } from './stdoutLog.ts';

const OUTPUT = checkpoint('sft/checkpoint-50', 50);
const END = { train_runtime: 63.5, train_samples_per_second: 12.6, train_loss: 1.9, epoch: 1 };
const read = (files: TestFiles, chunk?: number): readonly RunEvidence[] =>
  readRuns(stdoutFormat, files, chunk === undefined ? {} : { chunk });
const one = (log: string, chunk?: number): RunEvidence | undefined =>
  read({ ...OUTPUT, 'sft/train.log': log }, chunk)[0];
const kinds = (run: RunEvidence | undefined): unknown => run?.signs.map(({ kind }) => kind);

describe.each([4, 5] as const)('the output of transformers %i', (version) => {
  const rows = [...printedRows(5), { step: 50, values: { eval_loss: 1.875, eval_runtime: 2, epoch: 0.5 } }];
  const run = one(printLog(rows, 100, version));

  it('has the step of the bar that is drawn after each row', () => {
    expect(pointsOf(run, 'loss')).toEqual([10, 20, 30, 40, 50].map((step) => [step, 2 - step / 1000]));
    expect(pointsOf(run, 'grad_norm')[2]).toEqual([30, NaN]);
    expect(pointsOf(run, 'learning_rate')[0]).toEqual([10, 4.91e-5]);
    expect(pointsOf(run, 'eval/loss')).toEqual([[50, 1.875]]);
    expect(pointsOf(run, 'epoch')).toHaveLength(5);
  });

  it('knows its folder and how far it is', () => {
    expect([run?.key, run?.folder, run?.lastSignAt]).toEqual(['sft/train', 'sft', MODIFIED_AT]);
    expect(run?.progress).toEqual({ step: 50, totalSteps: 100, epoch: 0.5, totalEpochs: null });
    expect([kinds(run), run?.curveSource?.file]).toEqual([[], 'sft/train.log']);
  });
});

it('reads the same from chunks of any size', () => {
  const log = `${printLog(printedRows(5), 100)}\n${printDict(END, 5)}\n`;
  for (const chunk of [1, 7, 64, 100]) {
    const run = one(log, chunk);
    expect(pointsOf(run, 'loss').map(([step]) => step)).toEqual([10, 20, 30, 40, 50]);
    expect(kinds(run)).toEqual(['finished']);
  }
});

describe('the end of a log', () => {
  it('is the summary, which is no point of a curve', () => {
    const run = one(`${printLog(printedRows(10), 100)}\n${printDict(END, 5)}\n`);
    expect([kinds(run), run?.summary.get('train_loss')?.value, run?.curves.has('train_loss')]).toEqual([
      ['finished'],
      1.9,
      false,
    ]);
  });

  it('is a bar that is full', () => expect(kinds(one(printLog(printedRows(10), 100)))).toEqual(['complete']));

  it('is a traceback, unless the training went on', () => {
    const failed = `${printLog(printedRows(3), 100)}\n${TRACEBACK}`;
    expect(one(failed)?.signs).toMatchObject([
      { kind: 'traceback', reason: expect.stringContaining('CUDA out of memory') },
    ]);
    // The bar is drawn once more when the process ends.
    expect(kinds(one(`${failed}${bar(33, 100)}`))).toEqual(['traceback']);
    expect(kinds(one(`${failed}${printLog(printedRows(2, 30), 100)}`))).toEqual([]);
  });

  it('is a stop by Ctrl+C', () => {
    expect(
      kinds(one(`${printLog(printedRows(3), 100)}\n${TRACEBACK.replace(/torch.*/, 'KeyboardInterrupt')}`)),
    ).toEqual(['interrupted']);
  });
});

it("is not misled by an evaluation's bar before the first step", () => {
  const evaluation = `${printDict({ eval_loss: 3, epoch: 0 }, 5)}\n${bar(7, 7)}${bar(0, 100)}`;
  const run = one(`${bar(7, 7)}\n${bar(0, 100)}${bar(7, 7)}\n${evaluation}${printLog(printedRows(3), 100)}`);
  expect([run?.progress?.totalSteps, pointsOf(run, 'loss').length]).toEqual([100, 3]);
});

it('drops what a resumed run repeats in the same log', () => {
  const run = one(`${printLog(printedRows(5), 100)}\n${printLog(printedRows(2, 30), 100)}`);
  expect(pointsOf(run, 'loss').map(([step]) => step)).toEqual([10, 20, 30, 40, 50]);
});

it('takes steps from the epochs of a saved state where there are no bars', () => {
  const log = printedRows(5)
    .map(({ values }) => `${printDict(values, 5)}\n`)
    .join('');
  expect(pointsOf(one(log), 'loss').map(([step]) => step)).toEqual([10, 20, 30, 40, 50]);
  const [run] = read({ 'sft/training_args.bin': 1, 'sft/train.log': log });
  expect([run?.curves.size, run?.progress?.step, run?.progress?.epoch]).toEqual([0, null, 0.5]);
});

it('reads stdout and stderr of one job together', () => {
  const out = printedRows(3)
    .map(({ values }) => `${printDict(values, 5)}\n`)
    .join('');
  const runs = read({ ...OUTPUT, 'slurm-12.out': out, 'slurm-12.err': `${bar(0, 100)}${bar(30, 100)}\n${TRACEBACK}` });
  expect(runs.map(({ key, folder }) => [key, folder])).toEqual([['slurm-12', 'sft']]);
  expect(runs[0]?.signs).toMatchObject([{ kind: 'traceback', source: { file: 'slurm-12.err' } }]);
  expect(pointsOf(runs[0], 'loss')).toHaveLength(3);
});

describe('logs', () => {
  const log = printLog(printedRows(2), 100);
  const folders = (files: TestFiles): unknown => read(files).map(({ folder }) => folder);

  it('belong to the folder that they are in, that has their name, or that is alone beside them', () => {
    const second = checkpoint('dpo/checkpoint-50', 50);
    expect(folders({ ...OUTPUT, 'nohup.out': log })).toEqual(['sft']);
    expect(folders({ ...OUTPUT, ...second, 'dpo.log': log })).toEqual(['dpo']);
    expect(folders({ ...OUTPUT, ...second, 'nohup.out': log })).toEqual([]);
    expect(
      folders({ 'new/runs/Aug22_10-07-04_box/events.out.tfevents.1787393224.box.1.0': 1, 'new/train.txt': log }),
    ).toEqual(['new']);
  });

  it('are not read elsewhere, nor if they have no such lines', () => {
    expect(folders({ 'a/train.log': log, 'a/model.safetensors': 5 })).toEqual([]);
    expect(folders({ ...OUTPUT, 'sft/debug.log': log, 'sft/notes.txt': log })).toEqual([]);
    expect(folders({ ...OUTPUT, 'sft/train.log': `hello\n{'a': 1}\n{'epoch': 1.0}\n${TRACEBACK}` })).toEqual([]);
  });

  it('may be hostile', () => {
    const lines = [
      "{'epoch': '1e999', 'loss': 'x'}",
      `${' '.repeat(50_000)}9%|`,
      `9%|${'█'.repeat(60_000)}`,
      '{'.repeat(60_000),
    ];
    lines.push(
      `5%|x| 99999999999999999999/1 [`,
      "{'epoch': 1, 'loss': {'epoch': 2}}",
      '\u0000\u0000',
      'x'.repeat(300_000),
    );
    const run = one(`${lines.join('\n')}\n${log}`);
    expect(pointsOf(run, 'loss').map(([step]) => step)).toEqual([10, 20]);
  });
});
