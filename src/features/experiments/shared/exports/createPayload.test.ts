import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import { findCommandGap, findPayloadGap, toCreateCommand, toCreatePayload } from './createPayload.ts';
import type { ExportInput } from './exportInput.ts';
import { toTestCandidate } from '#features/experiments/shared/candidate.fixture.ts';
import { toShellWords } from '#features/experiments/shared/shell.fixture.ts';
import { toTestInput } from './exportFormats.fixture.ts';

const one = (more: Partial<Candidate> = {}) =>
  toTestCandidate('k', { batch_size: 16, learning_rate_multiplier: 2.86e-4, ...more });
const input = (...candidates: Candidate[]): ExportInput =>
  toTestInput(candidates, { rate: { means: 'unknown' }, baseUrl: 'https://studio.example.com/', isRemote: true });
const parse = (text: string) => JSON.parse(text) as { experiments: Record<string, unknown>[] };

describe('create payload', () => {
  it('is the experiments without `recommended` and the reason, under the snapshot’s id', () => {
    expect(JSON.parse(toCreatePayload(input(one(), one({ training_type: 'full' }))))).toEqual({
      snapshot_id: 'snap',
      name: 'First round',
      experiments: [
        { base_model_id: 'qwen3-0.6b', batch_size: 16, learning_rate_multiplier: 2.86e-4, n_epochs: 3, lora: true },
        { base_model_id: 'qwen3-0.6b', batch_size: 16, learning_rate_multiplier: 2.86e-4, n_epochs: 3, lora: false },
      ],
    });
  });

  it('names other ways of training by training_type, and says nothing where the service said nothing', () => {
    const { experiments } = parse(
      toCreatePayload(input(one({ training_type: 'qlora' }), one({ training_type: null }))),
    );
    expect(experiments[0]).toMatchObject({ training_type: 'qlora' });
    expect(experiments[0]).not.toHaveProperty('lora');
    expect(experiments[1]).not.toHaveProperty('lora');
    expect(experiments[1]).not.toHaveProperty('training_type');
  });

  it('has the settings that were chosen, and keeps runs apart that differ in one', () => {
    const { experiments } = parse(
      toCreatePayload(
        input(
          one({ chosen: { seed: 1, target_modules: ['q_proj'] } }),
          one({ chosen: { seed: 2, target_modules: ['q_proj'] } }),
          one({ chosen: { seed: 2, target_modules: ['q_proj'] } }),
        ),
      ),
    );
    expect(experiments).toMatchObject([
      { seed: 1, target_modules: ['q_proj'] },
      { seed: 2, target_modules: ['q_proj'] },
    ]);
    expect(experiments).toHaveLength(2);
  });

  it('leaves out what was not given and says what to fill in', () => {
    const gappy = input(one(), one({ base_model_id: 'b', n_epochs: null, training_type: null }));
    expect(parse(toCreatePayload(gappy)).experiments[1]).toEqual({
      base_model_id: 'b',
      batch_size: 16,
      learning_rate_multiplier: 2.86e-4,
    });
    expect(findPayloadGap(gappy)).toContain('experiments[1] (b): n_epochs, lora');
    expect(findPayloadGap(input(one()))).toBeNull();
  });

  it('keeps every digit of a rate, and leaves out what JSON has no number for', () => {
    const rate = 0.1 + 0.2;
    const { experiments } = parse(
      toCreatePayload(input(one({ learning_rate_multiplier: rate }), one({ learning_rate_multiplier: Number.NaN }))),
    );
    expect(experiments[0]?.['learning_rate_multiplier']).toBe(rate);
    expect(experiments[1]).not.toHaveProperty('learning_rate_multiplier');
  });

  it('has one body for each snapshot', () => {
    const mixed = {
      ...input(one({ snapshot_id: 'a' }), one({ snapshot_id: 'b' }), one({ snapshot_id: 'a', n_epochs: 1 })),
      snapshot_id: null,
    };
    const bodies = JSON.parse(toCreatePayload(mixed)) as { snapshot_id: string; experiments: unknown[] }[];
    expect(bodies.map(({ snapshot_id, experiments }) => [snapshot_id, experiments.length])).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
    expect(findPayloadGap(mixed)).toBe('A list of 2 payloads, one per snapshot: post each by itself.');
    expect(findCommandGap(mixed)).toBeNull();
    expect(toCreateCommand(mixed).match(/^curl /gm)).toHaveLength(2);
    expect(findPayloadGap({ ...input(one({ snapshot_id: null })), snapshot_id: null })).toContain('snapshot_id');
  });
});

describe('a candidate and a run of equal settings', () => {
  const plan = one({ origin: 'model', recommended: true });
  const run = (label: string, status: string) => one({ origin: 'run', label, status, experiment_id: label });

  it('are one experiment of the payload', () => {
    const { experiments } = parse(
      toCreatePayload(input(plan, one({ n_epochs: 1 }), run('First', 'failed'), run('Second', 'succeeded'))),
    );
    expect(experiments.map((experiment) => experiment['n_epochs'])).toEqual([3, 1]);
    // Nobody knows whether these are the same.
    expect(parse(toCreatePayload(input(one({ n_epochs: null }), one({ n_epochs: null })))).experiments).toHaveLength(2);
  });

  it('are one of the command, which names every run', () => {
    const notes = (...candidates: Candidate[]) =>
      toCreateCommand(input(...candidates))
        .split('\n')
        .filter((line) => /^# (exp|First round)/.test(line));
    expect(notes(one({ n_epochs: 1 }), plan, run('First', 'failed'), run('Second', 'succeeded'))).toEqual([
      '# First round: 2 experiments on snapshot snap',
      '# experiments[1] (qwen3-0.6b): did not finish as First: failed; already run as Second: done',
    ]);
    expect(notes(run('First', 'failed'), plan, run('Second', 'succeeded')).slice(1)).toEqual([
      '# experiments[0] (First): did not finish: failed',
      '# experiments[0] (Second): already run: done',
    ]);
  });
});

describe('the command', () => {
  const body = (text: string) => text.slice(text.indexOf("<<'PAYLOAD'\n") + 12, text.lastIndexOf('\nPAYLOAD\n'));

  it('sends the payload to the studio with a token from the environment', () => {
    const text = toCreateCommand(input(one()));
    const words = toShellWords(text.slice(0, text.indexOf('<<')));
    expect(words).toContain('https://studio.example.com/api/v1/public/finetuning/create');
    expect(text).toContain('"Authorization: Bearer ${STUDIO_API_KEY:?');
    expect(text).not.toContain('STUDIO_TOKEN');
    expect(JSON.parse(body(text))).toEqual(JSON.parse(toCreatePayload(input(one()))));
  });

  it('takes the service’s own token where the service itself is the studio', () => {
    const text = toCreateCommand({ ...input(one()), isRemote: false });
    expect(text).toContain('"Authorization: Bearer ${STUDIO_TOKEN:?');
    expect(text).not.toContain('STUDIO_API_KEY');
  });

  it('carries names of any kind, and no line of them', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("'", '"', '\n', '$', '`', '\\', 'PAYLOAD', '#', ' ', '\u2028', 'a', '😀') }),
        (hostile) => {
          const text = toCreateCommand({
            ...input(one({ base_model_id: hostile })),
            name: hostile,
            baseUrl: `https://x/${hostile}`,
          });
          expect(JSON.parse(body(text))).toMatchObject({ name: hostile, experiments: [{ base_model_id: hostile }] });
          // What stands before is quoted, and may be anything.
          const sent = text.slice(text.indexOf("<<'PAYLOAD'"));
          expect(sent.split('\n').filter((line) => line === 'PAYLOAD')).toHaveLength(1);
          expect(toShellWords(text.slice(0, text.indexOf("<<'PAYLOAD'")))).toContain(
            `https://x/${hostile}/api/v1/public/finetuning/create`.replace(/\/+(?=\/api)/, ''),
          );
        },
      ),
    );
  });
});
