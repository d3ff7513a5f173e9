import { expect, it } from 'vitest';
import { MODIFIED_AT, openClaims, readRuns, toPoints, toValues } from './folder.fixture.ts';
import { CONFIG, FOLDER, NEW_CONSOLE, OLD_CONSOLE } from './mlx.fixture.ts';
import { mlx } from './mlx.ts';

const CONFIG_FILE = `${FOLDER}/adapter_config.json`;
const CONSOLE = `${FOLDER}/train.log`;
const read = (files: Readonly<Record<string, string>>) => readRuns(mlx, { [CONFIG_FILE]: CONFIG, ...files })[0];

it('reads the arguments of a run from its start', () => {
  const run = read({});
  const source = { file: CONFIG_FILE, place: null };
  expect(run).toMatchObject({
    key: FOLDER,
    folder: FOLDER,
    outputDir: { value: 'adapters', source },
    baseModel: { value: 'Qwen/Qwen3-0.6b', source },
    datasets: { value: ['data/cats'], source },
    isAdapter: { value: true },
    progress: { step: null, totalSteps: 200, epoch: null, totalEpochs: null },
    signs: [],
    checkpoints: [],
    lastSignAt: MODIFIED_AT,
    resumedFrom: null,
  });
  expect(toValues(run?.parameters)).toMatchObject({
    learning_rate: 1e-5,
    'lora_parameters.dropout': 0,
    'lora_parameters.rank': 8,
    'lora_parameters.scale': 20,
  });
  const full = CONFIG.replace('"lora",', '"full",').replace(
    '"resume_adapter_file": null',
    '"resume_adapter_file": "a"',
  );
  expect(read({ [CONFIG_FILE]: full })).toMatchObject({ isAdapter: { value: false }, resumedFrom: 'a' });
  expect(run?.parameters.has('use_dora')).toBe(false);
  const dora = read({ [CONFIG_FILE]: CONFIG.replace('"lora",', '"dora",') });
  expect(dora?.parameters.get('use_dora')).toEqual({ value: true, source: { ...source, place: 'fine_tune_type' } });
});

it('lists saved adapters; that of the last iteration is probably the end', () => {
  const first = { [`${FOLDER}/0000100_adapters.safetensors`]: '123', [`${FOLDER}/adapters.safetensors`]: '123' };
  expect(read(first)?.signs).toEqual([]);
  const run = read({ ...first, [`${FOLDER}/0000200_adapters.safetensors`]: '' });
  expect(run?.checkpoints.map(({ step, kind, bytes, isComplete }) => [step, kind, bytes, isComplete])).toEqual([
    [100, 'adapter', 3, true],
    [200, 'adapter', 0, false],
    [null, 'adapter', 3, true],
  ]);
  expect(run?.signs).toMatchObject([{ kind: 'complete', reason: 'the adapter of the last iteration was saved' }]);
});

it('reads the console of older versions', () => {
  const run = read({ [CONSOLE]: OLD_CONSOLE });
  expect(toPoints(run)).toMatchObject({
    'eval/loss': [
      [1, 2.901],
      [200, Number.NaN],
    ],
    loss: [
      [10, 2.345],
      [20, 2.125],
    ],
    learning_rate: [
      [10, 1e-5],
      [20, 1e-5],
    ],
    num_tokens: [
      [10, 5120],
      [20, 10240],
    ],
  });
  expect(run?.progress?.step).toBe(200);
  expect(run?.signs).toMatchObject([{ kind: 'finished', reason: 'the final weights were saved' }]);
});

it('reads the table of newer versions, with colours', () => {
  expect(toPoints(read({ [CONSOLE]: NEW_CONSOLE }))).toEqual({
    'eval/loss': [
      [1, 2.901],
      [20, 2.5],
    ],
    loss: [
      [10, 2.345],
      [20, 2.45],
    ],
    tokens_per_second: [
      [10, 1512],
      [20, 498],
    ],
  });
});

it('ends with the error of the console, until it trains again', () => {
  const error = 'Traceback (most recent call last):\n  File "x"\nRuntimeError: out of memory\n';
  expect(read({ [CONSOLE]: NEW_CONSOLE + error })?.signs).toMatchObject([
    { kind: 'traceback', reason: 'RuntimeError: out of memory', source: { file: CONSOLE } },
  ]);
  expect(read({ [CONSOLE]: error + NEW_CONSOLE })?.signs).toEqual([]);
});

it('says nothing about adapters of PEFT, or settings that are damaged', () => {
  expect(read({ [CONFIG_FILE]: '{"peft_type": "LORA", "r": 16}' })).toBeUndefined();
  expect(openClaims(mlx, { [CONFIG_FILE]: CONFIG, [`${FOLDER}/adapter_model.safetensors`]: '' })).toEqual([]);
  const [reading] = openClaims(mlx, { [CONFIG_FILE]: CONFIG });
  reading?.take(CONFIG_FILE, CONFIG);
  expect(() => reading?.take(CONFIG_FILE, CONFIG.slice(0, 50))).toThrow('not complete JSON');
  expect(reading?.runs).toHaveLength(1);
  const foreign = 'Iter x: Train loss 1\nIter 5: Train loss one, Val loss inf\n  7    1.0    5\n  10 ▼\n';
  expect(toPoints(read({ [CONSOLE]: foreign }))).toEqual({ 'eval/loss': [[5, Infinity]] });
});
