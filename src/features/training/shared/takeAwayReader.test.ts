import { describe, expect, it } from 'vitest';
import { readModelRunning, readTakeAway, readTrainingCommand, readTrainingPreview } from './takeAwayReader.ts';
import { modelRunningSchema, takeAwaySchema, trainingCommandSchema } from './trainingRecords.ts';

const TAKEN = {
  modelfile: 'FROM ./m.gguf\n',
  problem: null,
  files: [{ format: 'merged F16', path: '/m.gguf', bytes: 12, name: 'm.merged-F16.gguf' }],
  commands: [{ title: 'llama.cpp', command: 'llama-server -m /m.gguf' }],
};

it('what is taken away is read as it is sent', () => {
  expect(takeAwaySchema.safeParse(TAKEN).error).toBeUndefined();
  expect(readTakeAway(TAKEN)).toEqual({ ok: true, value: TAKEN });
});

it('what is missing is none, and what can not be used is left out', () => {
  expect(readTakeAway({ files: [{ format: 'F16' }, { path: '/a' }, 1], commands: [{ title: 'x' }, null] })).toEqual({
    ok: true,
    value: {
      modelfile: null,
      problem: null,
      files: [{ format: 'GGUF', path: '/a', bytes: 0, name: '' }],
      commands: [],
    },
  });
  expect(readTakeAway([])).toMatchObject({ ok: false });
});

it('a command is read with its job file', () => {
  const command = { command: ['node', 'train.mjs', '/job.json'], job: '{}\n' };
  expect(trainingCommandSchema.safeParse(command).error).toBeUndefined();
  expect(readTrainingCommand(command)).toEqual({ ok: true, value: command });
});

it.each([[null], [{}], [{ command: 'node' }], [{ command: [1] }]])('%j is no command', (body) =>
  expect(readTrainingCommand(body)).toEqual({ ok: false, reason: 'the answer has no command' }),
);

it('what would run is read whole or not at all', () => {
  const run = { command: ['node', 'job.json'], job: '{}' };
  expect(readTrainingPreview({ runs: [run, run] })).toEqual({ ok: true, value: [run, run] });
  for (const body of [null, {}, { runs: [] }, { runs: [run, { job: '{}' }] }])
    expect(readTrainingPreview(body).ok).toBe(false);
});

describe('what a model takes in memory', () => {
  const running = { status: true, memory: { bytes: 5_400_000, layers: 33, gpu_layers: 20, gpu: 'RTX 4090 (cuda)' } };

  it('is read as it is sent', () => {
    expect(modelRunningSchema.safeParse(running).error).toBeUndefined();
    expect(readModelRunning(running)).toEqual({ ok: true, value: running });
    const away = { status: false, memory: null };
    expect(readModelRunning(away)).toEqual({ ok: true, value: away });
  });

  it('is unknown where a service says less', () => {
    expect(readModelRunning({ status: true })).toEqual({ ok: true, value: { status: true, memory: null } });
    expect(readModelRunning({ status: 'yes', memory: { bytes: 'many' } })).toEqual({
      ok: true,
      value: { status: false, memory: { bytes: 0, layers: 0, gpu_layers: 0, gpu: null } },
    });
    expect(readModelRunning(null)).toMatchObject({ ok: false });
  });
});
