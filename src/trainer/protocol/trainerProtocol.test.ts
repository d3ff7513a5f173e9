import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { isObject } from '#core/contract/readJson.ts';
import { MAX_INTEGER, toStorable } from '#core/contract/schemas.ts';
import { MAX_ANSWERS, MAX_LINE, parseTrainerLine, trainerEventSchema, trainerJobSchema } from './trainerProtocol.ts';

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

  it('is cut off where it nests deeper than any event, and is a line of the log', () => {
    const deep = `{"type":"log","text":"x","more":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
    expect(parseTrainerLine(deep)).toMatchObject({ type: 'log' });
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

describe('what the database can not keep', () => {
  it('is replaced in every text of an event, and in names', () => {
    expect(
      parse({
        type: 'validation',
        step: 1,
        answers: [{ prompt: 'a\0b', expected: 'c\ud83d', answer: '\udc00d\ud83d\ude00' }],
      }),
    ).toMatchObject({ answers: [{ prompt: 'a\ufffdb', expected: 'c\ufffd', answer: '\ufffdd\ud83d\ude00' }] });
    const result = {
      type: 'result',
      model: { served_as: 'm\0' },
      measures: { 'a\0': 1 },
      settings: { 'b\ud800': 'c\0' },
      parity: {
        prompts: 1,
        exact_match: 1,
        formats: [
          {
            format: 'F\0',
            is_served: true,
            equal: 1,
            exact_match: 1,
            lost: 0,
            lost_from: 0,
            lost_to: 0,
            is_refused: false,
            first_difference: { prompt: '\0', at: 0, before: '\ud800', after: '' },
          },
        ],
      },
    };
    expect(parse(result)).toEqual(JSON.parse(JSON.stringify(result).replaceAll(/\\u(?:0000|d800)/g, '\ufffd')));
    expect(parse({ type: 'failure', reason: '\0', what_to_do: '' })).toEqual({
      type: 'failure',
      reason: '\ufffd',
      what_to_do: '',
    });
    expect(parse({ type: 'log', text: 'a\0b\ud800' })).toEqual({ type: 'log', text: 'ab\ufffd' });
    expect(parseTrainerLine('half \ud83d')).toEqual({ type: 'log', text: 'half \ufffd' });
  });

  it.each([
    [{ type: 'start', steps: 2 ** 31 }, 'start: steps must be at most 2147483647.'],
    [{ type: 'start', steps: 1, rows_cut: 2 ** 31 }, 'start: rows_cut must be at most 2147483647.'],
    [{ type: 'progress', step: 2 ** 53, loss: 1 }, 'progress: step must be at most 2147483647.'],
    [{ type: 'progress', step: -1, loss: 1 }, 'progress: step must be at least 0.'],
    [{ type: 'checkpoint', step: 1, file: 'x'.repeat(5000) }, 'checkpoint: file must have at most 4096 characters.'],
    [{ type: 'result', model: { served_as: 'm' }, measures: { 'a\0': 'x' } }, 'result: measures.a must be a number.'],
  ])('is refused with what may be: %#', (event, problem) => {
    expect(parse(event)).toMatchObject({ type: 'log', problem });
  });

  it('is a number that JSON reads as infinite', () => {
    expect(parseTrainerLine('{"type":"progress","step":1,"loss":1e999}').problem).toBe(
      'progress: loss must be a number.',
    );
  });

  it('is no whole number of any field: each has the bound of its column', () => {
    const found: unknown[] = [];
    const walk = (schema: unknown): void => {
      if (Array.isArray(schema)) for (const each of schema as unknown[]) walk(each);
      if (!isObject(schema)) return;
      if (schema['type'] === 'integer') found.push(schema['maximum']);
      for (const each of Object.values(schema)) walk(each);
    };
    walk(z.toJSONSchema(trainerEventSchema, { unrepresentable: 'any' }));
    expect(found.length).toBeGreaterThan(8);
    for (const maximum of found) expect(maximum).toBeLessThanOrEqual(MAX_INTEGER);
  });

  it('is in no event that is read, whatever a line holds', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('\0', '\ud800', 'a\udfff', '\ud83d\ude00'));
    const events = fc.record({
      type: fc.constantFrom('start', 'progress', 'validation', 'checkpoint', 'log', 'result', 'failure'),
      step: fc.nat(),
      steps: fc.nat(),
      loss: fc.double(),
      file: text,
      text,
      reason: text,
      what_to_do: text,
      answers: fc.array(fc.record({ prompt: text, expected: text, answer: text })),
      model: fc.oneof(fc.record({ served_as: text }), fc.record({ file: text, kind: fc.constant('gguf') })),
      measures: fc.dictionary(text, fc.double()),
      settings: fc.dictionary(text, text),
    });
    const check = (value: unknown): void => {
      if (typeof value === 'string') expect(toStorable(value)).toBe(value);
      else if (Array.isArray(value)) for (const each of value as unknown[]) check(each);
      else if (isObject(value)) for (const entry of Object.entries(value)) check(entry);
    };
    fc.assert(
      fc.property(events, (event) => check(parse(event))),
      { numRuns: 500 },
    );
  });

  it('is no reason of any length, and no number of measures', () => {
    const measures = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`m${at}`, at]));
    const read = parse({ type: 'result', model: { served_as: 'm' }, measures: { ['x'.repeat(200)]: 1, ...measures } });
    expect(read.type === 'result' && Object.keys(read.measures ?? {})).toEqual(Object.keys(measures).slice(0, 100));
    const failure = parse({ type: 'failure', reason: 'x'.repeat(60_000) });
    expect(failure.type === 'failure' && failure.reason).toHaveLength(2_000);
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
