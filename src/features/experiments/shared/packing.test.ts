import { describe, expect, it } from 'vitest';
import { readJob } from '#core/contract/jobReader.ts';
import { readRecommendation } from '#core/contract/recommendationReader.ts';
import { toChoices } from './candidates.ts';
import { toCandidateCsv } from './exports/candidateTable.ts';
import { toTestInput } from './exports/exportFormats.fixture.ts';
import { findPackedText } from './packedBatch.ts';
import { findPacking, toPackedText, toRowsPerSequence, withPackedBatches } from './packing.ts';
import { toRunCandidate } from './runCandidates.ts';

const run = { status: 'succeeded', n_epochs: 3, batch_size: 8, steps: 473 };

it.each([
  ['packed rows', run, 2200, 1.744],
  ['one row a sequence', { ...run, steps: 825 }, 2200, null],
  ['a last batch that is not full', { ...run, n_epochs: 1, steps: 2 }, 17, null],
  ['a run that stopped early', { ...run, status: 'failed', steps: 28 }, 2200, null],
  ['steps that are unknown', { ...run, steps: null }, 2200, null],
  ['no steps', { ...run, steps: 0 }, 2200, null],
  ['rows that are unknown', run, null, null],
])('%s', (_case, measured, rows, expected) => {
  const found = toRowsPerSequence(measured, rows);
  expect(found === null ? null : Number(found.toFixed(3))).toBe(expected);
});

it('is written in sequences and rows', () => {
  expect([toPackedText(8, 1.744), toPackedText(1, 4)]).toEqual([
    '8 packed sequences, about 14 rows',
    '1 packed sequence, about 4 rows',
  ]);
});

describe('candidates', () => {
  const read = readJob({
    id: 'j',
    status: 'completed',
    experiments: [
      { id: 'f', base_model_id: 'support-base', lora: true, ...run, status: 'failed', steps: 28 },
      { id: 'e', base_model_id: 'support-base', lora: true, ...run },
    ],
  });
  const jobs = read.ok ? [read.value] : [];

  it('of a recommendation say what a batch is, where the snapshot’s runs show it, on the page and in tables', () => {
    const advice = { n_epochs: 3, batch_size: 8, learning_rate_multiplier: 2e-3 };
    const record = readRecommendation({
      snapshot_id: 's',
      status: 'completed',
      recommended_models: ['support-base', 'qwen3-0.6b'].map((base_model_id) => ({
        base_model_id,
        recommended: true,
        full_hyperparameters: null,
        lora_hyperparameters: advice,
        reason_for_recommendation: '',
      })),
      recommended_experiments: [{ base_model_id: 'support-base', lora: true, recommended: true, ...advice }],
    });
    if (!record.ok) throw new Error(record.reason);
    const plain = toChoices(record.value);
    expect(withPackedBatches(plain, findPacking(jobs, null))).toBe(plain);
    const choices = withPackedBatches(plain, findPacking(jobs, 2200));
    const words = '8 packed sequences, about 14 rows';
    expect(choices.candidates.map(findPackedText)).toEqual([words, null, words]);
    expect(choices.models.map(({ lora }) => lora && findPackedText(lora))).toEqual([words, null]);
    expect(choices.candidates.every((candidate, at) => candidate.batch_size === plain.candidates[at]?.batch_size)).toBe(
      true,
    );
    expect(toCandidateCsv(toTestInput(choices.candidates))).toContain(`"${words}"`);
  });

  it('of runs say it of their own', () => {
    const node = (type: string, metadata: object) => ({
      id: type,
      type,
      label: type,
      children: [],
      metadata: { ...metadata },
    });
    const toRun = (training_count: unknown) =>
      toRunCandidate(
        'k',
        {
          node: { ...node('experiment', {}), status: 'succeeded' },
          job: null,
          snapshot: node('snapshot', { training_count }),
          dataset: null,
        },
        jobs[0]?.experiments[1] ?? null,
      );
    expect(findPackedText(toRun(2200))).toBe('8 packed sequences, about 14 rows');
    expect(findPackedText(toRun(undefined))).toBeNull();
  });
});
