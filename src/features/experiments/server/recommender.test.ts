import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recommendationSchema } from '#core/contract/recommendation.ts';
import { CATALOGUE, LOCAL_BASE_MODEL } from './catalogue.ts';
import type { RunFact, SnapshotFacts } from './evidence.ts';
import { recommend } from './recommender.ts';
import { toRecommendation } from './recommendations.ts';
import { anyFacts, FULL, LORA, OTHER, SNAPSHOT, toMeasured, toTestFacts as facts } from './facts.fixture.ts';

const local = (body: ReturnType<typeof recommend>) => {
  const model = body.recommended_models.find((entry) => entry.base_model_id === LOCAL_BASE_MODEL);
  return { model: model! };
};

describe('models', () => {
  it('recommends one to train here and one to train elsewhere, and lists all the others for comparison', () => {
    const models = recommend(facts(), CATALOGUE).recommended_models;
    expect(models.map((model) => [model.base_model_id, model.recommended])).toEqual([
      ['support-base', true],
      ['qwen2.5-0.5b', true],
      ['smollm-135m', false],
      ['qwen3-0.6b', false],
      ['gemma3-1b', false],
      ['llama3.2-1b', false],
      ['llama3.1-8b', false],
    ]);
    expect(models[0]?.reason_for_recommendation).toContain('Train it here: ');
    expect(models[1]?.reason_for_recommendation).toMatch(
      /^To train on a GPU elsewhere \(494M parameters\): .* Runner-up; not tested here\. /,
    );
    for (const model of models.slice(2))
      expect(model.reason_for_recommendation).toMatch(/^For comparison \([^)]*\)\. Not tested here\. /);
  });

  it('takes the rates that were measured here and says what the formula gives', () => {
    const { model } = local(recommend(facts(), CATALOGUE));
    expect(model.full_hyperparameters).toEqual({ n_epochs: 3, batch_size: 8, learning_rate_multiplier: 1.5e-3 });
    expect(model.lora_hyperparameters).toEqual({ n_epochs: 3, batch_size: 8, learning_rate_multiplier: 6e-3 });
    expect(model.reason_for_recommendation).toContain(
      'Rates: 6e-3 for LoRA (run Experiment 1), 1.5e-3 for full training (run Experiment 2).',
    );
    expect(model.reason_for_recommendation).toContain('gives 1.07e-3 and 1.07e-4');
    expect(model.reason_for_recommendation).toContain('about 473 steps');
  });

  it('falls back on the formula where nothing was measured, and warns', () => {
    const { model } = local(recommend(facts({ runs: [] }), CATALOGUE));
    expect(model.full_hyperparameters.learning_rate_multiplier).toBe(1.07e-4);
    expect(model.reason_for_recommendation).toContain('No run of this studio has measured its rates yet');
    expect(model.reason_for_recommendation).toContain('not calibrated');
  });

  it('takes what runs on nearby data found best, says of each value what it rests on, and keeps a run short', () => {
    const measured = [
      toMeasured(),
      toMeasured({ learning_rate: 6e-3, loss: 0.052, exact_match: 0.9 }),
      toMeasured({ task: 'notes', n_epochs: 10, exact_match: 0.9 }),
      toMeasured({ lora: true, learning_rate: 1.2e-2, loss: 0.4 }),
    ];
    const some = facts({ runs: [], measured, training_count: 1000, training_bytes: 145_000 });
    const { model } = local(recommend(some, CATALOGUE));
    expect(model.full_hyperparameters).toEqual({ n_epochs: 5, batch_size: 4, learning_rate_multiplier: 3e-3 });
    const reason = model.reason_for_recommendation;
    expect(reason).toMatch(
      /^Choose full training: on 1 of 1 task like yours its validation loss was clearly below that of LoRA\. /,
    );
    expect(reason).toContain(
      'Full training: rate 3e-3 (measured on 3 runs like yours, of 2 tasks, as good from 3e-3 to 6e-3), batch 4 (measured on the same runs), ' +
        '5 epochs (measured on the same runs, as good from 5 to 10). ' +
        'The best of those runs, with 300 training rows, answered 93.7 % (90 % to 96 %) of validation rows exactly.',
    );
    expect(reason).toContain(
      'LoRA: rate 0.012 (measured on 1 run like yours, of 1 task), batch 4 (measured on the same runs), 5 epochs',
    );
    expect(reason).toContain('(published rule, not measured here)');
    const long = local(recommend({ ...some, training_count: 20_000, training_bytes: 2_900_000 }, CATALOGUE)).model;
    expect(long.full_hyperparameters.n_epochs).toBe(1);
    expect(long.reason_for_recommendation).toMatch(/1 epoch instead of \d+, which keeps a run at about 4 minutes/);
  });

  it('says of batch and epochs that they are those of a run of the snapshot, where one decides', () => {
    const measured = [toMeasured(), toMeasured({ lora: true, learning_rate: 1.2e-2, loss: 0.4 })];
    const { model } = local(recommend(facts({ runs: [FULL], measured }), CATALOGUE));
    const line = model.reason_for_recommendation.split('\n').find((text) => text.startsWith('LoRA: '));
    expect(line).toMatch(
      /^LoRA: rate 0\.012 \(measured on 1 run .*\), batch 8 and 3 epochs, to be compared with run Experiment 2\./,
    );
  });

  it('compares an advised LoRA rate with the usual one and names every source', () => {
    const llama = recommend(facts(), CATALOGUE).recommended_models.find(
      (model) => model.base_model_id === 'llama3.1-8b',
    )!;
    expect(llama.lora_hyperparameters).toEqual({ n_epochs: 3, batch_size: 16, learning_rate_multiplier: 1.01e-4 });
    expect(llama.full_hyperparameters).toEqual({ n_epochs: 3, batch_size: 64, learning_rate_multiplier: 2.02e-5 });
    for (const source of [
      'Chat_finetuning_data_prep',
      'hyperparam_utils',
      'our unpublished scaling rule',
      '2x below the 2e-4 of Axolotl and Unsloth',
    ]) {
      expect(llama.reason_for_recommendation).toContain(source);
    }
  });
});

describe('experiments', () => {
  it('are of the suggested way of training and its bracket, then of the runner-up', () => {
    const rows = (fields: Partial<SnapshotFacts>) =>
      recommend(facts(fields), CATALOGUE).recommended_experiments.map((entry) => [
        entry.base_model_id,
        entry.lora,
        entry.learning_rate_multiplier,
        entry.recommended,
      ]);
    const isOpen = (run: RunFact): RunFact => ({ ...run, held_out: { exact_match: 0.8 } });
    expect(rows({}).map(([, , , recommended]) => recommended)).toEqual([false, false, false, false]);
    expect(rows({ runs: [isOpen(LORA), isOpen(FULL)] })).toEqual([
      ['support-base', true, 2e-3, true],
      ['support-base', true, 0.018, false],
      ['support-base', true, 6e-3, false],
      ['qwen2.5-0.5b', true, 1.88e-4, true],
    ]);
    expect(
      rows({
        runs: [
          { ...LORA, snapshot_id: OTHER },
          { ...FULL, snapshot_id: OTHER },
        ],
        answer_shape: 'text',
      })[0],
    ).toEqual(['support-base', false, 1.5e-3, true]);
  });

  it.each([
    ['tool-calls', 'qwen3-0.6b'],
    ['json', 'qwen2.5-0.5b'],
    ['text', 'llama3.2-1b'],
  ] as const)('takes the runner-up by shape: %s -> %s', (answer_shape, id) => {
    expect(recommend(facts({ answer_shape }), CATALOGUE).recommended_experiments.at(-1)?.base_model_id).toBe(id);
  });
});

describe('cautions', () => {
  const reason = (fields: Partial<SnapshotFacts>, id: string) =>
    recommend(facts(fields), CATALOGUE).recommended_models.find((model) => model.base_model_id === id)
      ?.reason_for_recommendation;

  it('flags few rows, few steps, no validation rows, an uncalibrated family', () => {
    expect(reason({ training_count: 9 }, 'llama3.2-1b')).toContain('fewer than 10 training rows');
    expect(reason({ training_count: 9 }, 'llama3.2-1b')).toContain('fewer than 100 steps');
    expect(reason({ validation_count: 0 }, 'llama3.2-1b')).toContain('without validation rows');
    expect(reason({}, 'gemma3-1b')).toContain('not calibrated');
  });

  it('stays silent when there is nothing to mind', () => {
    expect(reason({}, 'llama3.2-1b')).not.toContain('Caution');
    expect(reason({}, 'support-base')).not.toContain('Caution');
  });
});

it('refuses a snapshot without training rows with a reason', () => {
  expect(() => recommend(facts({ training_count: 0 }), CATALOGUE)).toThrow('no training rows');
});

it('gives a record that the contract accepts, with readable numbers, for any facts', () => {
  fc.assert(
    fc.property(anyFacts, (some) => {
      const stored = {
        snapshot_id: SNAPSHOT,
        status: 'completed',
        error: null,
        body: recommend(some, CATALOGUE),
      } as const;
      const record = recommendationSchema.parse(toRecommendation(stored));
      for (const list of [record.recommended_models, record.recommended_experiments]) {
        const starred = list.filter(({ recommended }) => recommended).map(({ base_model_id }) => base_model_id);
        // No experiment is recommended where nothing is left to win.
        if (list === record.recommended_experiments && starred.length === 0) continue;
        expect(starred).toEqual([LOCAL_BASE_MODEL, expect.stringMatching(/^(qwen2.5-0.5b|qwen3-0.6b|llama3.2-1b)$/)]);
      }
      for (const entry of record.recommended_experiments) {
        expect(entry.learning_rate_multiplier).toBeGreaterThan(0);
        expect(entry.learning_rate_multiplier).toBe(Number(entry.learning_rate_multiplier.toPrecision(3)));
        expect(entry.n_epochs).toBeGreaterThanOrEqual(1);
        expect(Math.log2(entry.batch_size) % 1).toBe(0);
      }
    }),
  );
});
