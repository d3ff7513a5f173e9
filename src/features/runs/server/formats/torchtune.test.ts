import { expect, it } from 'vitest';
import { MODIFIED_AT, openClaims, readRuns, toPoints, toValues } from './folder.fixture.ts';
import { CONFIG, epoch, FOLDER, LATER_LOG, line, LOG } from './torchtune.fixture.ts';
import { torchtune } from './torchtune.ts';

const CONFIG_FILE = `${FOLDER}/torchtune_config.yaml`;
const FILES = { [CONFIG_FILE]: CONFIG, [LOG]: line(1, 2.5) + line(2, 'nan') };
const read = (files: Readonly<Record<string, string>>) => readRuns(torchtune, files)[0];

it('reads settings and the log', () => {
  const run = read(FILES);
  const source = { file: CONFIG_FILE, place: null };
  expect(toPoints(run)).toMatchObject({
    loss: [
      [1, 2.5],
      [2, Number.NaN],
    ],
    learning_rate: [
      [1, 3e-4],
      [2, 3e-4],
    ],
    tokens_per_second_per_gpu: [
      [1, 1234.5],
      [2, 1234.5],
    ],
  });
  expect(run).toMatchObject({
    key: FOLDER,
    folder: FOLDER,
    outputDir: { value: '/tmp/torchtune/cats', source },
    baseModel: { value: '/tmp/Llama-3.2-1B-Instruct/', source },
    datasets: { value: ['data/cats.json'], source },
    method: null,
    isAdapter: { value: true },
    progress: { step: 2, totalSteps: null, epoch: null, totalEpochs: 2 },
    signs: [],
    startedAt: 1_787_393_224_000,
    lastSignAt: MODIFIED_AT,
    checkpoints: [],
  });
  expect(toValues(run?.parameters)).toMatchObject({ 'optimizer.lr': 3e-4, 'model.lora_rank': 64, epochs: 2 });
  expect(run?.parameters.has('metric_logger.api_key')).toBe(false);
});

it('knows the method by its loss, full training by its model, and several datasets', () => {
  const config = CONFIG.replace('lora_llama3_2_1b', 'llama3_2_1b')
    .replace('modules.loss.LinearCrossEntropyLoss', 'rlhf.loss.DPOLoss')
    .replace(
      /dataset:\n(?: {2}.*\n)+/,
      'dataset:\n- _component_: torchtune.datasets.alpaca_dataset\n- {source: me/dogs}\n',
    );
  expect(read({ [CONFIG_FILE]: config })).toMatchObject({
    isAdapter: { value: false },
    method: { value: 'dpo' },
    datasets: { value: ['torchtune.datasets.alpaca_dataset', 'me/dogs'] },
    startedAt: null,
  });
});

it('lists what was saved; the last epoch is probably the end', () => {
  const files = { ...FILES, ...epoch(0) };
  expect(read(files)).toMatchObject({ signs: [], checkpoints: [{ path: `${FOLDER}/epoch_0`, kind: 'adapter' }] });
  const run = read({ ...files, ...epoch(1), [`${FOLDER}/epoch_1/model-00001-of-00001.safetensors`]: '12345' });
  expect(run?.checkpoints[1]).toMatchObject({ kind: 'full', step: null, bytes: 33, isComplete: true });
  expect(run?.signs).toMatchObject([{ kind: 'complete', reason: 'the last of 2 epochs was saved', at: MODIFIED_AT }]);
  const [reading] = openClaims(torchtune, { ...files, ...epoch(1) });
  reading?.takeAll({ ...files, ...epoch(1) });
  reading?.drop(`${FOLDER}/epoch_1/adapter_model.safetensors`);
  expect(reading?.runs[0]?.signs).toEqual([]);
  expect(read({ ...FILES, [`${FOLDER}/step_50/adapter_model.bin`]: '' })?.checkpoints[0]?.step).toBe(50);
});

it('joins the logs of several starts', () => {
  const run = read({ ...FILES, [LOG]: line(1, 3) + line(2, 2) + line(3, 1), [LATER_LOG]: line(2, 2.25) });
  expect(toPoints(run)['loss']).toEqual([
    [1, 3],
    [2, 2.25],
  ]);
});

it('reads logs in JSON lines, and keeps what it can of damaged ones', () => {
  const json = LOG.replace('.txt', '.jsonl');
  const run = read({
    [CONFIG_FILE]: CONFIG,
    [json]: '{"step": 1, "loss": 2.5, "grad_norm": "0.5"}\n{"step": 2, "loss": NaN}\n[]\n{"loss": 1}\n{"step": 3, "lo',
  });
  expect(toPoints(run)).toEqual({
    loss: [
      [1, 2.5],
      [2, Number.NaN],
    ],
    grad_norm: [[1, 0.5]],
  });
  const text = read({
    [CONFIG_FILE]: CONFIG,
    [LOG]: 'Step x | loss:1\nStep 1 | loss:DTensor( loss2:inf \nStep 2 | loss:1',
  });
  expect(toPoints(text)).toEqual({ loss2: [[1, Infinity]] });
});

it('asks to read damaged settings again, and needs them to find a run', () => {
  const [reading] = openClaims(torchtune, FILES);
  reading?.takeAll(FILES);
  expect(() => reading?.take(CONFIG_FILE, 'a: [')).toThrow('complete YAML');
  expect(reading?.runs[0]?.outputDir?.value).toBe('/tmp/torchtune/cats');
  expect(openClaims(torchtune, { [LOG]: '' })).toEqual([]);
});
