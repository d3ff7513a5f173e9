import { expect, it } from 'vitest';
import { openClaims, readRuns, toPoints, toValues } from './folder.fixture.ts';
import { lightning } from './lightning.ts';
import { litgpt } from './litgpt.ts';

const SETTINGS = `checkpoint_dir: checkpoints/EleutherAI/pythia-14m
out_dir: out/lora
precision: bf16-true
devices: 1
lora_r: 8
data:
  class_path: litgpt.data.JSON
train:
  global_batch_size: 8
  micro_batch_size: 2
  epochs: 3
  max_steps: 20
`;
const METRICS = 'out/logs/csv/version_0/metrics.csv';
const FILES = {
  [METRICS]:
    'epoch,iter,iter_time,loss,step,total_tokens,val_loss\n0,4,0.1,3.5,4,100,\n0,8,0.1,3.25,8,200,\n,,,,8,,3.75\n0,10,0.1,3.0,10,250,\n',
  'out/step-000002/lit_model.pth.lora': 'weights',
  'out/step-000002/hyperparameters.yaml': SETTINGS,
  'out/final/lit_model.pth.lora': 'weights',
  'out/final/hyperparameters.yaml': SETTINGS,
};

it('counts the steps of the optimizer, though the table counts micro batches', () => {
  const [run, ...more] = readRuns(litgpt, FILES);
  expect(more).toEqual([]);
  expect(toPoints(run)).toEqual({
    iter_time: [
      [1, 0.1],
      [2, 0.1],
      [2.5, 0.1],
    ],
    loss: [
      [1, 3.5],
      [2, 3.25],
      [2.5, 3],
    ],
    'eval/loss': [[2, 3.75]],
  });
  expect(run).toMatchObject({
    folder: 'out',
    baseModel: { value: 'checkpoints/EleutherAI/pythia-14m' },
    datasets: { value: ['litgpt.data.JSON'] },
    isAdapter: { value: true },
    progress: { totalSteps: 20, totalEpochs: 3 },
    signs: [{ kind: 'complete', reason: 'the final weights were saved' }],
    problems: [],
  });
  expect(run?.checkpoints.map(({ path, step, kind }) => [path, step, kind])).toEqual([
    ['out/step-000002', 2, 'adapter'],
    ['out/final', null, 'adapter'],
  ]);
  expect(toValues(run?.parameters)).toMatchObject({ lora_r: 8, 'train.micro_batch_size': 2 });
});

it('puts the validation after the last step there, though it is logged without a step', () => {
  const [run] = readRuns(litgpt, { ...FILES, [METRICS]: `${FILES[METRICS]},,,,0,,3.5\n` });
  expect(toPoints(run)['eval/loss']).toEqual([
    [2, 3.75],
    [2.5, 3.5],
  ]);
});

it('says that it does not know the steps before weights are saved', () => {
  const [run] = readRuns(litgpt, { [METRICS]: FILES[METRICS] });
  expect(toPoints(run)['loss']?.map(([step]) => step)).toEqual([4, 8, 10]);
  expect(run?.problems).toEqual([expect.stringContaining('metrics.csv counts micro batches')]);
});

it('leaves the tables of Lightning to Lightning', () => {
  const files = { 'out/logs/csv/version_0/metrics.csv': 'step,loss\n', 'out/logs/csv/version_0/hparams.yaml': '{}\n' };
  expect(openClaims(litgpt, files)).toEqual([]);
  expect(openClaims(lightning, files)).toHaveLength(1);
});
