import { describe, expect, it } from 'vitest';
import { MAX_LINE, type TrainerJob } from '#trainer/protocol/trainerProtocol.ts';
import {
  INPUTS,
  leaseSchema,
  MAX_LINES,
  OUTPUT_NAME,
  sentEndSchema,
  sentLinesSchema,
  linesReplySchema,
  wantedLeaseSchema,
} from './worker.ts';

const ID = '3f0c1a52-7b1e-4a1d-9c55-0123456789ab';

const JOB: TrainerJob = {
  protocol: 1,
  experiment_id: ID,
  base: { id: 'base', file: '/b.gguf', adapter: null, context: 512 },
  data: { training: '/t.jsonl', validation: '/v.jsonl' },
  output: '/out',
  resume: true,
  training_type: 'lora',
  n_epochs: 1,
  batch_size: 8,
  learning_rate: 0.001,
  lora: { rank: 8, alpha: 16 },
  seed: 1,
  checkpoint_every: 25,
};

const LEASE = {
  lease_id: ID,
  experiment_id: ID,
  seconds: 15,
  job: JOB,
  weights: [{ name: 'base.gguf', tag: '12-34' }],
  saved: ['checkpoint.bin'],
};

it.each([
  ['checkpoint.bin', true],
  ['ft-base-1.merged-F16.gguf', true],
  ['a', true],
  ['', false],
  ['.hidden', false],
  ['..', false],
  ['a/b', false],
  ['a\\b', false],
  ['a b', false],
  ['ü', false],
  ['a\n', false],
  ['x.part-1', false],
  ['x.parts', true],
  ['x'.repeat(121), false],
])('%j is the name of a file: %s', (name, isName) => expect(OUTPUT_NAME.test(name)).toBe(isName));

it('a lease of a base that the studio has no file of gives no weights, and its job says so', () => {
  const base = { ...JOB.base, id: 'org/base', file: null };
  expect(leaseSchema.parse({ ...LEASE, job: { ...JOB, base }, weights: [] }).job.base).toEqual(base);
  expect(leaseSchema.safeParse({ ...LEASE, job: { ...JOB, protocol: 2 } }).success).toBe(false);
});

it('each file that a lease gives has such a name', () => {
  for (const name of INPUTS) expect(name).toMatch(OUTPUT_NAME);
});

describe('what is sent', () => {
  it.each([
    [
      'a wish for a run',
      wantedLeaseSchema,
      { name: 'gpu-1', is_built_in: false },
      { name: '/gpu', is_built_in: false },
    ],
    ['a wish without its kind of trainer', wantedLeaseSchema, { name: 'é 1', is_built_in: true }, { name: 'é 1' }],
    ['a lease', leaseSchema, LEASE, { ...LEASE, lease_id: 'x' }],
    ['a lease with a checkpoint', leaseSchema, LEASE, { ...LEASE, saved: ['../../../x'] }],
    ['a lease with weights', leaseSchema, { ...LEASE, weights: [] }, { ...LEASE, weights: [{ name: '/b', tag: '' }] }],
    ['lines', sentLinesSchema, { from: 0, lines: ['{}', ''] }, { from: -1, lines: [] }],
    ['no lines', sentLinesSchema, { from: 7, lines: [] }, { lines: [] }],
    ['a wish to stop', linesReplySchema, { wish: 'stop', next: 3 }, { wish: 'sleep', next: 3 }],
    ['no wish', linesReplySchema, { wish: null, next: 0 }, { next: 0 }],
    ['an end', sentEndSchema, { code: 0, signal: null, problem: null }, { code: 'none', signal: null, problem: null }],
    [
      'an end with its result again',
      sentEndSchema,
      { code: 0, signal: null, problem: null, last: ['{"type":"result"}'] },
      { code: 0, signal: null, problem: null, last: '{}' },
    ],
    [
      'a signal',
      sentEndSchema,
      { code: null, signal: 'SIGKILL', problem: null },
      { code: 1, signal: 'x', problem: null },
    ],
    ['a problem', sentEndSchema, { code: null, signal: null, problem: 'No disk.' }, { code: null, signal: null }],
  ])('%s has its form', (_, schema, good, bad) => {
    expect(schema.safeParse(good).error).toBeUndefined();
    expect(schema.safeParse(bad).success).toBe(false);
  });

  it('has a problem as the database can keep it', () => {
    expect(sentEndSchema.parse({ code: null, signal: null, problem: 'a\0\ud800' }).problem).toBe('a\ufffd\ufffd');
  });

  it('is bounded', () => {
    const lines = (count: number, length: number) =>
      sentLinesSchema.safeParse({ from: 0, lines: Array.from({ length: count }, () => 'x'.repeat(length)) }).success;
    expect([lines(MAX_LINES, 1), lines(MAX_LINES + 1, 1)]).toEqual([true, false]);
    expect([lines(1, MAX_LINE), lines(1, 2 * MAX_LINE)]).toEqual([true, false]);
    const problem = (length: number) =>
      sentEndSchema.safeParse({ code: null, signal: null, problem: 'x'.repeat(length) }).success;
    expect([problem(500), problem(501)]).toEqual([true, false]);
    const last = (count: number) =>
      sentEndSchema.safeParse({ code: 0, signal: null, problem: null, last: Array.from({ length: count }, () => '{}') })
        .success;
    expect([last(4), last(5)]).toEqual([true, false]);
  });
});
