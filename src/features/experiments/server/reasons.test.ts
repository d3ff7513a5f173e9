// Whether the reasons tell the truth: each number and each outcome in them is looked up in the evidence.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CATALOGUE } from './catalogue.ts';
import { chooseMode, type RunFact, type SnapshotFacts } from './evidence.ts';
import { toEpochs } from '#features/experiments/shared/measured/hyperparameterRules.ts';
import { RUN_MINUTES, toPlan, type Plan } from './hyperparameters.ts';
import { recommend } from './recommender.ts';
import { toMeasure } from '#features/experiments/shared/measures.ts';
import { formatShare } from '#core/contract/numberNotation.ts';
import { toCountText, toEpochsText, toLossText, toRateText, toRatioText } from './reasonText.ts';
import { anyFacts, FAILED, FULL, LORA, OTHER, toTestFacts } from './facts.fixture.ts';

const toReasons = (facts: SnapshotFacts) => {
  const { recommended_models, recommended_experiments } = recommend(facts, CATALOGUE);
  return [...recommended_models, ...recommended_experiments];
};
const NUMBER = /(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[+-]?\d+)?(?:[BM] parameters| %)?/g;
const toNumbers = (text: string): string[] => text.match(NUMBER) ?? [];
/** Numbers of the rules themselves, and of how the last loss is taken. */
const CONSTANTS = toNumbers(
  'fewer than 10 training rows, fewer than 100 steps, 15x the full rate, batch / 128, 128 tokens, 20 steps, 2e-4',
);

/** The values of a run's measures as they are written. */
const toOutcome = (run: RunFact): string[] =>
  Object.entries(run.held_out).map(([name, value]) =>
    toMeasure(name).kind === 'share' ? formatShare(value) : toLossText(value),
  );

/** What the runs on nearby data gave: their number, values and ranges, and what they reached. */
function toMeasuredText({ expected: measured }: Plan): string {
  if (measured === null) return '';
  const { learning_rate: rate, batch_size: batch, n_epochs: epochs, exact_match: share } = measured;
  return [
    measured.tasks.map(({ best }) => toCountText(best.facts.rows)).join(' '),
    `${measured.runs} ${measured.own_runs} ${measured.tasks.length} ${RUN_MINUTES}`,
    [rate.low, rate.high].map(toRateText).join(' '),
    [batch, epochs].map(({ value, low, high }) => `${value} ${low} ${high}`).join(' '),
    share === null ? '' : [share.value, share.low, share.high].map(formatShare).join(' '),
  ].join(' ');
}

/** Every number that the evidence holds, or that follows from it by a rule, for an entry of the record. */
function toAllowed(
  facts: SnapshotFacts,
  entry: { readonly base_model_id: string; readonly n_epochs?: number; readonly learning_rate_multiplier?: number },
): Set<string> {
  const model = CATALOGUE.find(({ id }) => id === entry.base_model_id)!;
  const runTexts = facts.runs.flatMap((run) => [
    `${run.experiment_number} ${toRateText(run.learning_rate)} ${run.n_epochs} ${toCountText(run.steps ?? 0)} ` +
      `${run.failure}`,
    `${run.last_loss === null ? '' : toLossText(run.last_loss)} ${toCountText(run.held_out_rows ?? 0)} ` +
      `${toOutcome(run).join('; ')}`,
  ]);
  const planTexts = [true, false].flatMap((isLora) => {
    const plan = toPlan(model, facts, isLora);
    const epochs = entry.n_epochs ?? plan.n_epochs;
    const steps = toCountText(Math.round((plan.steps / plan.n_epochs) * epochs));
    const packed = toCountText((facts.training_count * plan.n_epochs) / (plan.steps * plan.batch_size));
    return [
      `${plan.n_epochs} ${epochs} ${plan.batch_size}`,
      steps,
      toCountText(plan.steps),
      packed,
      toRateText(plan.learning_rate),
      toRateText(plan.formula_rate),
      toRatioText(plan.learning_rate, 2e-4),
      toMeasuredText(plan),
    ];
  });
  const own =
    `${toRateText(entry.learning_rate_multiplier ?? 1)} ${toEpochs(facts.training_count)} ` +
    `${toCountText(facts.training_count)} ${toCountText(model.hidden_size)} ${model.parameters} parameters`;
  const nearby = chooseMode(facts).nearby;
  const tasks = nearby ? [`${nearby.agreeing} ${nearby.tasks}`] : [];
  return new Set([...CONSTANTS, ...[...runTexts, ...planTexts, ...tasks, own].flatMap(toNumbers)]);
}

/**
 * `LoRA (run Experiment 1, 6e-3, 3 epochs, 473 steps) exact match 99.5 %`: what the studio has of it must say the
 * same.
 */
const CITED = /(LoRA|full training) \(run Experiment (\d+), ([\d.e-]+), ([^)]*)\) ([^.;]*(?:\.\d[^.;]*)*)/g;

function isTrue(run: RunFact, [, mode, number, rate, length = '', outcome = '']: RegExpMatchArray): boolean {
  const steps = run.steps === null ? '' : `, ${toCountText(run.steps)} steps`;
  const values = outcome.split(', ').map((part) => /[<>]?[\d.e-]+(?: %)?$/.exec(part)?.[0]);
  return (
    (mode === 'LoRA') === run.lora &&
    Number(number) === run.experiment_number &&
    rate === toRateText(run.learning_rate) &&
    length === `${toEpochsText(run.n_epochs)}${steps}` &&
    (Object.keys(run.held_out).length === 0 || values.join() === toOutcome(run).join())
  );
}

describe('for any evidence', () => {
  it('every number in a reason occurs in it or follows from it', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        for (const entry of toReasons(facts)) {
          const allowed = toAllowed(facts, entry);
          const foreign = toNumbers(entry.reason_for_recommendation).filter((number) => !allowed.has(number));
          if (foreign.length > 0) expect.fail(`${foreign.join()} in: ${entry.reason_for_recommendation}`);
        }
      }),
    );
  });

  it('a run is cited with its own values and outcome, and as one of this snapshot', () => {
    let cited = 0;
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const own = facts.runs.filter((run) => run.snapshot_id === facts.snapshot_id && run.failure === null);
        for (const { reason_for_recommendation: reason } of toReasons(facts)) {
          for (const citation of reason.matchAll(CITED)) {
            cited += 1;
            if (!own.some((run) => isTrue(run, citation))) expect.fail(citation[0]);
          }
        }
      }),
    );
    expect(cited).toBeGreaterThan(100);
  });

  it('the first sentence has at most 25 words, and the convention is said once', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const reasons = toReasons(facts).map((entry) => entry.reason_for_recommendation);
        expect(
          reasons.filter((reason) => reason.includes('learning_rate_multiplier is the peak learning rate itself.')),
        ).toHaveLength(1);
        for (const reason of reasons) {
          const [first = ''] = reason.split(/(?<=\.) (?=[A-Z\d])/);
          const slip = /NaN|Infinity|undefined|null| {2}|\.\.|;\./.exec(reason)?.[0];
          // Runs of ten-digit numbers, each named six times, make the longest of thousands: 1,430.
          if (first.split(' ').length > 25 || slip !== undefined || reason.length >= 1600)
            expect.fail(`${first.split(' ').length} words first, ${reason.length} characters, "${slip}" in: ${reason}`);
        }
      }),
    );
  });
});

describe("the sample's evidence", () => {
  const local = (fields: Partial<SnapshotFacts>) =>
    toReasons(toTestFacts(fields)).find(({ recommended }) => recommended)!.reason_for_recommendation;
  const experiments = (fields: Partial<SnapshotFacts> = {}) =>
    toReasons(toTestFacts(fields)).filter((entry) => 'lora' in entry);

  it('says what both ways of training reached, and why LoRA is chosen', () => {
    const reason = local({});
    expect(reason).toMatch(
      /^The best runs answer almost all of these 200 validation rows right: .*\. Choose LoRA: its exact match is close to that of full /,
    );
    expect(reason).toContain(
      'On 200 validation rows: LoRA (run Experiment 1, 6e-3, 3 epochs, 473 steps) exact match 99.5 %; full ' +
        'training (run Experiment 2, 1.5e-3, 3 epochs, 473 steps) exact match 100 %.',
    );
    expect(reason).toContain(
      'On this snapshot full training at 0.2 failed in run Experiment 3 (1 epoch; loss is not finite at step 27).',
    );
    expect(reason).not.toContain('loss 0.');
  });

  it('says that runs differ in length, and how rows become steps', () => {
    const full = { ...FULL, steps: 671, held_out: { validation_loss: 0.0739, id_copied: 1 } };
    const lora = { ...LORA, n_epochs: 2, steps: 448, held_out: { validation_loss: 0.5682, id_copied: 0.993 } };
    const reason = local({ answer_shape: 'text', runs: [full, lora] });
    expect(reason).toMatch(
      /^Choose full training: on validation rows its validation loss is better: 0\.074 against 0\.57\. /,
    );
    expect(reason).toContain('The runs differ in length');
    expect(reason).toContain(
      'about 1.23 rows in each, and a step takes 8 sequences: 2,200 rows x 3 epochs make about 671 steps (as in ' +
        'run Experiment 2).',
    );
  });

  it('names a training loss as one, where nothing else was measured', () => {
    expect(local({ runs: [{ ...LORA, held_out: {}, last_loss: 0.5309 }] })).toContain(
      'no validation measure, training loss 0.53 (mean of the last 20 steps)',
    );
  });

  it('says where epochs and a rate come from', () => {
    const runs = [
      { ...LORA, n_epochs: 4, steps: 369 },
      { ...FULL, snapshot_id: OTHER },
    ];
    expect(local({ training_count: 1440, runs })).toContain(
      '4 epochs, as in run Experiment 1; the OpenAI cookbook (Chat_finetuning_data_prep) gives 3 for 1,440 rows.',
    );
    expect(local({ training_count: 1440, runs })).toContain(
      '1.5e-3 for full training (run Experiment 2 on another snapshot)',
    );
    expect(experiments({ training_count: 1440, runs })[0]?.reason_for_recommendation).toMatch(
      /^Try full training at 1.5e-3 for 4 epochs: it has not run on this snapshot/,
    );
  });

  it('warns of a failure only near its rate and of the same way of training', () => {
    for (const { reason_for_recommendation: reason } of experiments()) expect(reason).not.toContain('failed');
    const [, higher] = experiments({
      runs: [LORA, FULL, { ...FAILED, lora: true, learning_rate: 0.05, snapshot_id: OTHER }],
    });
    expect(higher?.reason_for_recommendation).toContain(
      'Near this rate LoRA at 0.05 failed in run Experiment 3 on another snapshot (1 epoch; loss is not finite ' +
        'at step 27).',
    );
  });

  it('calls a repeat a repeat', () => {
    const repeat = experiments().find((entry) => entry.reason_for_recommendation.startsWith('Repeat'));
    expect(repeat).toMatchObject({ recommended: false });
    expect(repeat?.reason_for_recommendation).toMatch(
      /^Repeat run Experiment 1 · LoRA \(6e-3\) with another seed, as a baseline: .* A proposal holds no seed: set it in your trainer\. /,
    );
  });
});
