import { expect, it } from 'vitest';
import { openClaims, readRuns, toPoints, toValues } from './folder.fixture.ts';
import { lightning } from './lightning.ts';

const FOLDER = 'csv/lightning_logs/version_0';
const FILES = {
  [`${FOLDER}/hparams.yaml`]: 'hidden: 4\nlr: 0.01\nnested:\n  a: 1\n',
  [`${FOLDER}/metrics.csv`]:
    'epoch,step,train_loss_epoch,train_loss_step,val_loss\n0,1,,0.5,\n0,3,,0.25,\n0,3,,,0.4\n0,3,0.375,,\n1,5,,nan,\n1,7,,0.',
  [`${FOLDER}/checkpoints/epoch=1-step=6.ckpt`]: 'weights',
  [`${FOLDER}/checkpoints/last.ckpt`]: 'weights',
};

it('reads what CSVLogger wrote, the settings and the checkpoints of a version', () => {
  const [run, ...more] = readRuns(lightning, FILES);
  expect(more).toEqual([]);
  expect(toPoints(run)).toEqual({
    loss: [
      [1, 0.5],
      [3, 0.25],
      [5, Number.NaN],
    ],
    'eval/loss': [[3, 0.4]],
    loss_epoch: [[3, 0.375]],
  });
  expect(toValues(run?.parameters)).toEqual({ hidden: 4, lr: 0.01, 'nested.a': 1 });
  expect(run?.checkpoints.map(({ path, step }) => [path.slice(FOLDER.length), step])).toEqual([
    ['/checkpoints/epoch=1-step=6.ckpt', 6],
    ['/checkpoints/last.ckpt', null],
  ]);
  expect(run?.progress).toMatchObject({ step: 5, epoch: 1 });
});

it('reads a file again that was written anew with another column', () => {
  const [reading] = openClaims(lightning, FILES);
  reading?.takeAll(FILES);
  reading?.take(`${FOLDER}/metrics.csv`, 'epoch,lr-SGD,"note, of mine",step\n0,0.1,"a ""word""",1\n');
  expect(toPoints(reading?.runs[0])).toEqual({ 'lr-SGD': [[1, 0.1]] });
});

it('takes no other table of metrics', () => {
  expect(openClaims(lightning, { 'run/metrics.csv': 'step,loss\n' })).toEqual([]);
});
