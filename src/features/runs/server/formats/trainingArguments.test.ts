import { describe, expect, it } from 'vitest';
import { Unreadable } from '#features/runs/server/reader.ts';
import { readRuns } from './folder.fixture.ts';
import { trainerState } from './hfTrainer.fixture.ts';
import { hfTrainerFormat } from './hfTrainer.ts';
import { GKD_ARGUMENTS, SFT_ARGUMENTS, toTorchFile } from './trainingArguments.fixture.ts';
import { MAX_ARGUMENTS_BYTES, parseTrainingArguments } from './trainingArguments.ts';

const HEAD = '\x80\x02ctrl.trainer.sft_config\nSFTConfig\n)\x81}(';
const TAIL = 'ub.';
const text = (value: string): string => `X${String.fromCodePoint(value.length)}\0\0\0${value}`;
const read = (items: string) => parseTrainingArguments(toTorchFile(`${HEAD}${items}${TAIL}`));

describe('training_args.bin', () => {
  it('has the settings of a run that no tracker recorded', () => {
    const { settings, method } = parseTrainingArguments(SFT_ARGUMENTS);
    expect(settings).toMatchObject({
      learning_rate: 3e-4,
      lr_scheduler_type: 'cosine',
      warmup_steps: 0.2,
      optim: 'adamw_torch',
      seed: 7,
      bf16: false,
      per_device_train_batch_size: 4,
      gradient_accumulation_steps: 8,
      num_train_epochs: 1.5,
      max_steps: -1,
      report_to: [],
      output_dir: 'outputs/triage',
      resume_from_checkpoint: null,
      num_devices: 1,
    });
    expect(method).toBe('sft');
    // Objects have no value to show, and what begins with a line is Python's own.
    expect(Object.keys(settings).filter((name) => /^_|^accelerator_config$|^distributed_state$/.test(name))).toEqual(
      [],
    );
  });

  it('names the trainer by its class, which may inherit that of another one', () => {
    const { settings, method } = parseTrainingArguments(GKD_ARGUMENTS);
    expect([method, settings['beta'], settings['completion_only_loss']]).toEqual(['gkd', 0.25, null]);
  });

  it('is only data: what it would call is refused, by name', () => {
    expect(() => read(`${text('a')}cos\nsystem\n${text('rm -rf /')}\x85R`)).toThrow(/calls os\.system/);
    expect(() => read(`${text('a')}cbuiltins\neval\n${text('1')}\x85R`)).toThrow(/calls builtins\.eval/);
    // A tensor in a file of its own.
    expect(() => read(`${text('a')}${text('storage')}Q`)).toThrow(/more than plain values/);
    const made = read(
      `${text('a')}cos\nPathLike\n)\x81${text('b')}ctransformers.trainer_utils\nHubStrategy\n${text('end')}\x85R`,
    );
    expect(made.settings).toEqual({ b: 'end' });
  });

  it.each([
    ['too large', new Uint8Array(MAX_ARGUMENTS_BYTES)],
    ['no zip file', new Uint8Array(6000)],
    ['compressed', toTorchFile(`${HEAD}${TAIL}`, 8)],
    ['cut', SFT_ARGUMENTS.subarray(0, 4000)],
    ['cut within its pickle', toTorchFile(HEAD)],
    ['no arguments', toTorchFile('\x80\x02K\x01.')],
    ['a reference to nothing', toTorchFile('\x80\x02h\x07.')],
    ['a list that is none', toTorchFile('\x80\x02K\x01K\x02a.')],
    ['without end', toTorchFile('N'.repeat(60_000))],
  ])('is unreadable when it is %s', (_case, content) => {
    expect(() => parseTrainingArguments(content)).toThrow(Unreadable);
  });

  it('ends where a value holds itself, or the same one many times', () => {
    expect(read(`${text('a')}]q\x01h\x01a${text('b')}K\x05`).settings['b']).toBe(5);
    const [first, byte] = [`${text('k')}]q\x01`, (at: number) => String.fromCodePoint(at)];
    const doubled = Array.from(
      { length: 60 },
      (_, at) => `${text(`k${at}`)}]q${byte(at + 2)}(h${byte(at + 1)}h${byte(at + 1)}e`,
    );
    expect(JSON.stringify(read(first + doubled.join('')).settings).length).toBeLessThan(1e6);
  });

  it('is cut anywhere without another error', () => {
    for (let end = 0; end < SFT_ARGUMENTS.length; end += 97)
      expect(() => parseTrainingArguments(SFT_ARGUMENTS.subarray(0, end))).toThrow(Unreadable);
  });
});

it('the facts of a run without a tracker are those that were set, not what the Trainer derived', () => {
  const state = trainerState(3, { train_batch_size: 4, num_train_epochs: 2, max_steps: 3 });
  const [run] = readRuns(hfTrainerFormat, {
    'triage/checkpoint-3/trainer_state.json': state,
    'triage/checkpoint-3/training_args.bin': SFT_ARGUMENTS,
  });
  const value = (name: string): unknown => run?.parameters.get(name)?.value;
  expect([value('num_train_epochs'), value('max_steps'), value('train_batch_size'), value('hub_token')]).toEqual([
    1.5,
    -1,
    undefined,
    undefined,
  ]);
  expect([run?.method?.value, run?.method?.source.place, run?.outputDir?.value]).toEqual([
    'sft',
    'class of the arguments',
    'outputs/triage',
  ]);
  expect(run?.progress).toMatchObject({ totalSteps: 3 });
});
