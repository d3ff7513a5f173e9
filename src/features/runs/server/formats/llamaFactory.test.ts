import { expect, it } from 'vitest';
import { MODIFIED_AT, openClaims, readRuns, toPoints, toValues } from './folder.fixture.ts';
import {
  ARGUMENTS,
  batchLine,
  evalLine,
  firstVersionLine,
  FOLDER,
  lastLine,
  LOG,
  RESULTS,
  TRACEBACK,
  trainLine,
} from './llamaFactory.fixture.ts';
import { llamaFactory } from './llamaFactory.ts';

const read = (files: Readonly<Record<string, string>>) => readRuns(llamaFactory, files)[0];

it('reads the log of a run from the command line, which has no settings', () => {
  const run = read({ [LOG]: trainLine(10, 2.5) + evalLine(10, 2) + trainLine(20, 1.5) });
  expect(toPoints(run)).toEqual({
    loss: [
      [10, 2.5],
      [20, 1.5],
    ],
    learning_rate: [
      [10, 1e-4],
      [20, 1e-4],
    ],
    'eval/loss': [[10, 2]],
  });
  expect(run).toMatchObject({
    key: FOLDER,
    folder: FOLDER,
    baseModel: null,
    datasets: null,
    outputDir: null,
    progress: { step: 20, totalSteps: 30, epoch: 2, totalEpochs: null },
    signs: [],
    lastSignAt: MODIFIED_AT,
    problems: [],
  });
});

it('reads the settings of a run from the web page, before and while it trains', () => {
  const files = { [`${FOLDER}/training_args.yaml`]: ARGUMENTS, [`${FOLDER}/llamaboard_config.yaml`]: '' };
  const run = read(files);
  const source = { file: `${FOLDER}/training_args.yaml`, place: null };
  expect(run).toMatchObject({
    outputDir: { value: 'saves/Qwen3-0.6B/lora/cats', source },
    baseModel: { value: 'Qwen/Qwen3-0.6B', source },
    datasets: { value: ['identity', 'alpaca_en_demo'], source },
    method: { value: 'sft', source },
    isAdapter: { value: true, source },
    progress: { totalEpochs: 3 },
  });
  expect(toValues(run?.parameters)).toMatchObject({ bf16: true, learning_rate: 5e-5, lora_rank: 8 });
  expect(run?.parameters.has('hub_token')).toBe(false);
  const full = ARGUMENTS.replace('finetuning_type: lora', 'finetuning_type: full').replace('stage: sft', 'stage: rm');
  const other = read({ ...files, [`${FOLDER}/training_args.yaml`]: full });
  expect(other).toMatchObject({ isAdapter: { value: false }, method: { value: 'reward' } });
});

it('finished with the results, which are no sign once the log goes on', () => {
  const files = { [LOG]: trainLine(30, 1) + lastLine(), [`${FOLDER}/train_results.json`]: RESULTS };
  const [reading] = openClaims(llamaFactory, files);
  reading?.takeAll(files);
  expect(reading?.runs[0]?.signs.map(({ kind, reason }) => [kind, reason])).toEqual([
    ['finished', 'train_results.json was written'],
    ['complete', 'the last step was logged'],
  ]);
  expect(toValues(reading?.runs[0]?.summary)).toEqual({ train_runtime: 61.5, total_flos: 1_234_000, train_loss: 1.75 });
  reading?.take(LOG, trainLine(10, 3), true, MODIFIED_AT + 60_000);
  expect(reading?.runs[0]?.signs).toEqual([]);
  expect(reading?.runs[0]?.summary.size).toBe(0);
  expect(toPoints(reading?.runs[0])['loss']).toEqual([[10, 3]]);
});

it('drops the steps that are repeated after a restart', () => {
  const lines = [trainLine(10, 3), trainLine(20, 2), evalLine(20, 2), trainLine(25, 1), trainLine(15, 2.5)];
  expect(toPoints(read({ [LOG]: lines.join('') }))).toMatchObject({
    loss: [
      [10, 3],
      [15, 2.5],
    ],
    'eval/loss': [],
  });
});

it('reads lines of the first version', () => {
  const run = read({ [LOG]: firstVersionLine(10, 2) + firstVersionLine(30, 1) });
  expect(toPoints(run)).toEqual({
    loss: [
      [10, 2],
      [30, 1],
    ],
    grad_norm: [
      [10, 0.5],
      [30, 0.5],
    ],
    learning_rate: [
      [10, 1e-4],
      [30, 1e-4],
    ],
  });
  expect(run?.signs.map(({ kind }) => kind)).toEqual(['complete']);
});

it('does not take the batches of an evaluation for steps', () => {
  expect(read({ [LOG]: batchLine(5) + batchLine(20) })).toMatchObject({ progress: null, signs: [] });
});

it('fails with the error of the web page log, until it trains again', () => {
  const log = `${FOLDER}/webui_subprocess.log`;
  const files = { [LOG]: trainLine(10, 2), [log]: TRACEBACK, [`${FOLDER}/running_log.txt`]: '' };
  const [reading] = openClaims(llamaFactory, files);
  reading?.takeAll(files);
  const reason = 'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.';
  expect(reading?.runs[0]?.signs).toMatchObject([{ kind: 'traceback', reason, source: { file: log } }]);
  reading?.take(LOG, trainLine(20, 2), false);
  expect(reading?.runs[0]?.signs).toEqual([]);
  const stopped = TRACEBACK.replace(/torch.*/, 'KeyboardInterrupt');
  expect(read({ ...files, [log]: stopped })?.signs).toMatchObject([{ kind: 'interrupted' }]);
});

it('keeps what it can of a log that is half written, damaged or hostile', () => {
  const [reading] = openClaims(llamaFactory, { [LOG]: '' });
  const line = trainLine(10, 2);
  reading?.take(LOG, line.slice(0, 30));
  expect(reading?.runs[0]?.curves.size).toBe(0);
  reading?.take(LOG, line.slice(30), false);
  reading?.take(
    LOG,
    '{"current_steps": 20, "loss": NaN, "epoch": 2}\n[1]\nnull\n{"current_steps": "30", "epoch": 1}\n',
    false,
  );
  reading?.take(LOG, '{"current_steps": 40, "loss": "x", "lr": -Infinity, "epoch": 4, "percentage": 1e999}\n', false);
  expect(toPoints(reading?.runs[0])).toEqual({
    loss: [
      [10, 2],
      [20, Number.NaN],
    ],
    learning_rate: [
      [10, 1e-4],
      [40, -Infinity],
    ],
  });
  expect(reading?.runs[0]?.problems).toEqual(['Line 4 of trainer_log.jsonl is damaged. The other lines are shown.']);
});

it('is found by its log, or by the files of its web page', () => {
  expect(openClaims(llamaFactory, { 'a/training_args.yaml': '' })).toEqual([]);
  expect(openClaims(llamaFactory, { 'a/trainer_log.jsonl': '', 'b/trainer_state.json': '' })).toHaveLength(1);
});
