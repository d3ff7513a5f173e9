import { expect, it } from 'vitest';
import { openClaims, readRuns, toPoints, toValues } from './folder.fixture.ts';
import { swift } from './swift.ts';

const FOLDER = 'output/v1-20261128-052040';
const ARGUMENTS = JSON.stringify({
  model: 'Qwen/Qwen3-0.6B',
  dataset: ['cats.jsonl#500'],
  tuner_type: 'lora',
  learning_rate: 1e-4,
  max_length: 512,
  rlhf_type: 'dpo',
  hub_token: 'hf_x',
});
const row = (step: number, values: Readonly<Record<string, unknown>>): string =>
  `${JSON.stringify({ ...values, 'global_step/max_steps': `${step}/40`, percentage: '5%', elapsed_time: '3s' })}\n`;
const LOG =
  row(10, { loss: 2, token_acc: 0.5, epoch: 0.1 }) +
  row(20, { loss: '1.5', 'memory(GiB)': 3 }) +
  row(20, { eval_loss: 1.75 });
const files = (log: string, args = ARGUMENTS) => ({
  [`${FOLDER}/args.json`]: args,
  [`${FOLDER}/logging.jsonl`]: log,
});

it('reads rows and settings before the first checkpoint', () => {
  const [run, ...more] = readRuns(swift, files(LOG));
  expect(more).toEqual([]);
  expect(toPoints(run)).toEqual({
    loss: [
      [10, 2],
      [20, 1.5],
    ],
    token_acc: [[10, 0.5]],
    'memory(GiB)': [[20, 3]],
    'eval/loss': [[20, 1.75]],
  });
  expect(run).toMatchObject({
    baseModel: { value: 'Qwen/Qwen3-0.6B' },
    datasets: { value: ['cats.jsonl#500'] },
    method: { value: 'dpo' },
    isAdapter: { value: true },
    progress: { step: 20, totalSteps: 40 },
    signs: [],
  });
  expect(Object.keys(toValues(run?.parameters))).not.toContain('hub_token');
});

it('knows the end, and that a run which was resumed has not come to it', () => {
  const ended =
    LOG +
    row(40, { train_runtime: 60, train_loss: 1.6 }) +
    `${JSON.stringify({ last_model_checkpoint: 'x', best_metric: 0.5, global_step: 40, memory: 0 })}\n`;
  const [done] = readRuns(swift, files(ended));
  expect(done?.signs).toMatchObject([{ kind: 'finished' }]);
  expect(toValues(done?.summary)).toEqual({ train_runtime: 60, train_loss: 1.6 });
  expect(Object.keys(toPoints(done))).not.toContain('best_metric');
  const [resumed] = readRuns(swift, files(ended + row(20, { loss: 1 })));
  expect(resumed?.signs).toEqual([]);
  expect(toPoints(resumed)['loss']).toEqual([
    [10, 2],
    [20, 1],
  ]);
});

it('takes no other arguments, and no other log', () => {
  expect(openClaims(swift, { 'a/args.json': '{}', 'b/logging.jsonl': '' })).toEqual([]);
  expect(readRuns(swift, files('', '{"lr": 1}'))).toEqual([]);
});
