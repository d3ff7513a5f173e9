import { expect, it } from 'vitest';
import { readTakeAway, readTrainingCommand, readTrainingPreview } from './takeAwayReader.ts';
import { takeAwaySchema, trainingCommandSchema } from './trainingRecords.ts';

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
