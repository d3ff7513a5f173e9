import { expect, it } from 'vitest';
import { jobExperimentSchema } from '#core/contract/job.ts';
import { toStorable } from '#core/contract/schemas.ts';
import { toResults } from './results.ts';

const GIVEN = { seed: 7, lora: { rank: 8, alpha: 16 } };
const result = (more: object) => ({ type: 'result' as const, model: { served_as: 'm' }, ...more });

it('keeps what the trainer measured and says of its settings', () => {
  const measures = { rows: 20, exact_match: 0.5, lost: null };
  const settings = { optimizer: 'adamw', seed: -3, lora_alpha: 1.5, warmup_steps: 4 };
  expect(toResults(result({ measures, settings, decoding: 'greedy', right_rows: '0101' }), GIVEN)).toEqual({
    held_out: { rows: 20, exact_match: 0.5 },
    held_out_base: null,
    settings: {
      decoding: 'greedy',
      lora_alpha: 1.5,
      lora_rank: 8,
      optimizer: 'adamw',
      seed: -3,
      warmup_steps: 4,
      right_rows: '0101',
    },
  });
});

it('leaves out numbers that are no counts, which no job may have', () => {
  const measures = { rows: 0.5, exact_match: 1 };
  const settings = { lora_rank: 1e300, warmup_steps: -1, seed: 2 ** 60 };
  const { held_out, settings: kept } = toResults(result({ measures, settings }), GIVEN);
  expect(held_out).toEqual({ exact_match: 1 });
  expect(kept).toEqual({ lora_alpha: 16, lora_rank: 8, seed: 7 });
  const experiment = { id: '3f0c1a52-7b1e-4a1d-9c55-0123456789ab', experiment_number: 1, status: 'succeeded' };
  expect(jobExperimentSchema.safeParse({ ...experiment, ...kept }).success).toBe(true);
});

it('cuts a long text so that no half of a pair is left', () => {
  const { settings } = toResults(result({ settings: { optimizer: `${'x'.repeat(99)}\u{1f600}` } }), GIVEN);
  expect(settings?.optimizer).toHaveLength(100);
  expect(toStorable(settings?.optimizer ?? '')).toBe(settings?.optimizer);
});
