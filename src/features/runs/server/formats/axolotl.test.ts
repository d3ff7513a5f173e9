import { expect, it } from 'vitest';
import {
  bar,
  CARD,
  CARD_TEXT,
  CONFIG,
  END,
  evaluation,
  FOLDER,
  headOf,
  LOG,
  logLine,
  row,
  SAVED,
  TRACEBACK,
} from './axolotl.fixture.ts';
import { axolotl } from './axolotl.ts';
import { MODIFIED_AT, openClaims, readRuns, toPoints, toValues } from './folder.fixture.ts';

const TRAINING = headOf(CONFIG) + bar(0) + row(10, '2.5') + evaluation(10, '2.25') + row(20, 'nan');
const read = (log: string) => readRuns(axolotl, { [LOG]: log })[0];

it('reads settings, data and method from the start of the log', () => {
  const run = read(headOf({ ...CONFIG, rl: 'dpo' }));
  const source = { file: LOG, place: 'line 1' };
  expect(run).toMatchObject({
    key: FOLDER,
    folder: FOLDER,
    name: { value: 'cats, second try' },
    group: { value: 'pets' },
    outputDir: { value: './outputs/cats', source },
    baseModel: { value: 'Qwen/Qwen3-0.6B', source },
    datasets: { value: ['me/cats', 'dogs.jsonl'] },
    method: { value: 'dpo' },
    isAdapter: { value: true },
    progress: { step: null, totalSteps: null, epoch: null, totalEpochs: 2 },
    signs: [],
    lastSignAt: MODIFIED_AT,
  });
  expect(toValues(run?.parameters)).toMatchObject({ lora_r: 16, learning_rate: 2e-4 });
  expect([...(run?.parameters.keys() ?? [])]).not.toContain('hub_token');
  expect([...(run?.parameters.keys() ?? [])]).not.toContain('wandb_entity');
  expect(read(headOf({ base_model: 'x' }))).toMatchObject({
    isAdapter: { value: false },
    method: null,
    datasets: null,
  });
});

it('reads rows by the step of the bar that follows them', () => {
  const run = read(TRAINING);
  expect(toPoints(run)).toMatchObject({
    loss: [
      [10, 2.5],
      [20, Number.NaN],
    ],
    'eval/loss': [[10, 2.25]],
  });
  expect(run?.progress).toEqual({ step: 20, totalSteps: 20, epoch: 2, totalEpochs: 2 });
});

it('places an evaluation before the first step at step 0', () => {
  const run = read(headOf(CONFIG) + bar(0) + evaluation(0, '3') + row(10, '2.5'));
  expect(toPoints(run)).toMatchObject({ 'eval/loss': [[0, 3]], loss: [[10, 2.5]] });
});

it('is the same when it comes in pieces of any length', () => {
  const bytes = new TextEncoder().encode(TRAINING + END + SAVED);
  const whole = read(TRAINING + END + SAVED);
  for (const size of [1, 7, 64, 1000]) {
    const [reading] = openClaims(axolotl, { [LOG]: '' });
    for (let at = 0; at < bytes.length; at += size) reading?.take(LOG, bytes.slice(at, at + size), at === 0);
    expect([size, toPoints(reading?.runs[0])]).toEqual([size, toPoints(whole)]);
    expect(reading?.runs[0]?.signs).toEqual(whole?.signs);
  }
});

it('finished when the model was saved', () => {
  const completed = read(TRAINING + END);
  expect(completed?.signs).toMatchObject([{ kind: 'complete', reason: 'Axolotl logged "Training completed!"' }]);
  expect(toValues(completed?.summary)).toEqual({ train_runtime: 61.5, train_loss: 1.75 });
  expect(read(TRAINING + END + SAVED)?.signs).toMatchObject([
    { kind: 'finished', reason: 'Axolotl logged "Model successfully saved"' },
  ]);
});

it('ends with an error, until it trains again', () => {
  const failed = TRAINING + TRACEBACK;
  expect(read(failed)?.signs).toMatchObject([
    { kind: 'traceback', reason: 'torch.OutOfMemoryError: CUDA out of memory.' },
  ]);
  expect(read(failed.replace('torch.OutOfMemoryError: CUDA out of memory.', 'KeyboardInterrupt'))?.signs).toMatchObject(
    [{ kind: 'interrupted' }],
  );
  const again = read(failed + headOf(CONFIG) + bar(0) + row(15, '2'));
  expect(again?.signs).toEqual([]);
  expect(toPoints(again)['loss']).toEqual([
    [10, 2.5],
    [15, 2],
  ]);
});

it('begins again with a new log', () => {
  const [reading] = openClaims(axolotl, { [LOG]: '' });
  reading?.take(LOG, TRAINING + END + SAVED);
  reading?.take(LOG, headOf(CONFIG));
  expect(reading?.runs[0]?.curves.size).toBe(0);
  expect(reading?.runs[0]?.signs).toEqual([]);
});

it('takes the settings of the model card where the log has none', () => {
  const files = { [CARD]: CARD_TEXT, [`${FOLDER}/adapter_config.json`]: '{}' };
  const [run] = readRuns(axolotl, files);
  const source = { file: CARD, place: 'axolotl config' };
  expect(run).toMatchObject({ baseModel: { value: 'Qwen/Qwen3-0.6B', source }, method: { value: 'dpo' }, signs: [] });
  expect(run?.environment.get('axolotl')).toEqual({ value: '0.18.0', source });
  expect(toValues(run?.parameters)).toMatchObject({ bf16: true });
  expect(run?.parameters.has('hub_token')).toBe(false);
  const both = readRuns(axolotl, { ...files, [LOG]: TRAINING })[0];
  expect(both?.parameters.get('lora_r')?.source.file).toBe(LOG);
  expect(both?.parameters.get('bf16')?.source.file).toBe(CARD);
});

it('says nothing about logs and cards of other tools', () => {
  expect(
    readRuns(axolotl, { 'a/debug.log': 'DEBUG x\n{"a": 1}\n', 'b/README.md': '# x', 'b/config.json': '{}' }),
  ).toEqual([]);
  expect(openClaims(axolotl, { 'wandb/run-1/logs/debug.log': '', 'a/README.md': '' })).toEqual([]);
});

it('keeps what it can of damaged lines', () => {
  const mixed = logLine('cli.config.load_cfg', 'config:\n{\n  "base_model": "x",\n[PID]\n}');
  expect(read(mixed)).toBeUndefined();
  const run = read(
    `${headOf(CONFIG)}{'loss': , 'epoch'\n{'loss': 'inf', 'epoch': 0.5, 'note': 'x'}\n${bar(5)}\n{'other': 1}\n${bar(6)}`,
  );
  expect(toPoints(run)).toEqual({ loss: [[5, Infinity]] });
});
