import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_ANSWERS, MAX_LINE, parseTrainerLine, trainerJobSchema } from './trainerProtocol.ts';

const parse = (value: unknown) => parseTrainerLine(JSON.stringify(value));

describe('events of a trainer', () => {
  it.each([
    { type: 'start', steps: 0 },
    { type: 'start', steps: 240, tokens_per_step: 1024, rows: 900, rows_cut: 3, rows_left_out: 0 },
    { type: 'progress', step: 1, loss: 2.5 },
    {
      type: 'progress',
      step: 7,
      epoch: 0.5,
      loss: null,
      learning_rate: 1e-3,
      gradient_norm: null,
      tokens_per_second: 3000,
      seconds_left: 12.5,
    },
    { type: 'validation', step: 20, loss: 0.4 },
    { type: 'validation', step: 20, exact_match: 0.9, answers: [{ prompt: 'a', expected: 'b', answer: 'c' }] },
    { type: 'checkpoint', step: 25, file: '/out/25' },
    { type: 'checkpoint', step: 25, file: '25', model: { file: '25.gguf', kind: 'gguf' } },
    { type: 'log', text: 'compiled' },
    { type: 'result', model: { file: 'model.gguf', kind: 'gguf' } },
    { type: 'result', model: { file: 'adapter.gguf', kind: 'adapter' }, measures: { rows: 20, exact_match: 0.95 } },
    { type: 'result', model: { served_as: 'my-lora' }, measures: null, settings: { optimizer: 'adamw', seed: 1 } },
    { type: 'failure', reason: 'out of memory', what_to_do: 'Use a smaller batch.' },
  ])('reads %j', (event) => {
    expect(parse(event)).toEqual(event);
  });

  it('drops fields that it does not know', () => {
    expect(parse({ type: 'progress', step: 1, loss: 1, gpu: 'A100' })).toEqual({ type: 'progress', step: 1, loss: 1 });
  });

  it.each(['NaN', 'Infinity', '-Infinity'])("takes Python's %s as no finite number", (word) => {
    expect(parseTrainerLine(`{"type": "progress", "step": 3, "loss": ${word}, "epoch": 0.1}`)).toEqual({
      type: 'progress',
      step: 3,
      loss: null,
      epoch: 0.1,
    });
  });

  it('keeps such words inside of texts', () => {
    const line = String.raw`{"type": "failure", "reason": "the \"loss\" is NaN", "what_to_do": null, "at": NaN}`;
    expect(parseTrainerLine(line)).toMatchObject({ type: 'failure', reason: 'the "loss" is NaN' });
  });

  it(`keeps ${MAX_ANSWERS} answers`, () => {
    const answers = Array.from({ length: 500 }, (_, at) => ({ prompt: `${at}`, expected: 'x', answer: 'x' }));
    expect(parse({ type: 'validation', step: 1, answers })).toMatchObject({ answers: answers.slice(0, MAX_ANSWERS) });
  });
});

describe('other lines', () => {
  it.each([
    '',
    'Epoch 1/3',
    '{',
    '[1]',
    'null',
    '"text"',
    '{"loss": 1}',
    '{"type": "metrics"}',
    '{"type": {}}',
    '{"type": "start", "steps"',
  ])('%j is a line of the log', (line) => {
    expect(parseTrainerLine(line)).toEqual({ type: 'log', text: line });
  });

  it.each([
    [{ type: 'start' }, 'steps'],
    [{ type: 'start', steps: -1 }, 'steps'],
    [{ type: 'progress', step: 1.5, loss: 1 }, 'step'],
    [{ type: 'progress', step: 1 }, 'loss'],
    [{ type: 'checkpoint', step: 1 }, 'file'],
    [{ type: 'result', model: { file: 'x' } }, 'model'],
    [{ type: 'result' }, 'model'],
    [{ type: 'failure', reason: '' }, 'reason'],
  ])('%j is kept in the log with what is wrong', (event, field) => {
    const read = parse(event);
    expect(read).toMatchObject({ type: 'log', text: JSON.stringify(event) });
    expect(read.problem).toContain(field);
  });

  it('loses escape codes and what a database refuses', () => {
    expect(parseTrainerLine('\u001b[32m 50%\u001b[0m\t|\u0000\r')).toEqual({ type: 'log', text: ' 50%\t|' });
  });

  it('is bounded', () => {
    const read = parseTrainerLine('x'.repeat(MAX_LINE * 4));
    expect(read.type === 'log' && read.text.length).toBeLessThan(MAX_LINE);
  });

  it('never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.jsonValue().map((value) => JSON.stringify(value)),
        ),
        (line) => {
          expect(typeof parseTrainerLine(line).type).toBe('string');
        },
      ),
      { numRuns: 300 },
    );
  });

  it('does not slow down on a long line of half a text', () => {
    expect(parseTrainerLine(`{"type":"log","text":"${'\\'.repeat(60_000)}`)).toMatchObject({ type: 'log' });
  });
});

it('a job file says all that a run needs', () => {
  const job = {
    protocol: 1,
    experiment_id: '3f0c1a52-7b1e-4a1d-9c55-0123456789ab',
    base: { id: 'support-base', file: '/m/base.gguf', adapter: null, context: 512 },
    data: { training: '/d/training.jsonl', validation: '/d/validation.jsonl' },
    output: '/out',
    resume: false,
    training_type: 'lora',
    n_epochs: 3,
    batch_size: 8,
    learning_rate: 6e-3,
    lora: { rank: 8, alpha: 16 },
    seed: 1,
    checkpoint_every: 25,
  };
  expect(trainerJobSchema.safeParse(job).success).toBe(true);
  expect(trainerJobSchema.safeParse({ ...job, protocol: 2 }).success).toBe(false);
  expect(trainerJobSchema.safeParse({ ...job, base: { id: 'x' } }).success).toBe(false);
});
