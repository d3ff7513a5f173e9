import { describe, expect, it } from 'vitest';
import { chooseMode, findNearFailure, findOwnRun, findRateRun, findSaturated, type RunFact } from './evidence.ts';
import { FAILED, FULL, LORA, OTHER, toTestFacts, toTestRun } from './facts.fixture.ts';

const measured = (run: RunFact, held_out: Readonly<Record<string, number>>): RunFact => ({ ...run, held_out });
const choose = (runs: readonly RunFact[], answer_shape: 'fixed-set' | 'text' | 'tool-calls' = 'fixed-set') => {
  const { isLora, basis, measure } = chooseMode(toTestFacts({ runs, answer_shape }));
  return [isLora ? 'lora' : 'full', basis, measure?.name ?? null];
};

describe('full training or LoRA', () => {
  it.each([
    ['within a point the cheaper one', 0.995, 1, ['lora', 'close', 'exact_match']],
    ['a point and more is clear', 0.99, 1, ['full', 'better', 'exact_match']],
    ['also where floating point falls short of a point', 0.05, 0.06, ['full', 'better', 'exact_match']],
    ['and the other way round', 1, 0.9, ['lora', 'better', 'exact_match']],
  ])('%s', (_name, lora, full, expected) => {
    expect(choose([measured(LORA, { exact_match: lora }), measured(FULL, { exact_match: full })])).toEqual(expected);
  });

  it('goes by exact match for answers that are right or wrong, never for free text', () => {
    const runs = [
      measured(LORA, { exact_match: 0.9, validation_loss: 0.5, well_formed: 1 }),
      measured(FULL, { exact_match: 0.5, validation_loss: 0.1, well_formed: 0.5 }),
    ];
    expect(choose(runs)).toEqual(['lora', 'better', 'exact_match']);
    expect(choose(runs, 'text')).toEqual(['full', 'better', 'validation_loss']);
    expect(choose([measured(LORA, { exact_match: 1 }), measured(FULL, { exact_match: 0 })], 'text')).toEqual([
      'full',
      'shape',
      null,
    ]);
  });

  it('calls a loss clearly better from a tenth on', () => {
    const at = (lora: number, full: number) =>
      choose([measured(LORA, { validation_loss: lora }), measured(FULL, { validation_loss: full })], 'text');
    expect(at(0.1, 0.095)).toEqual(['lora', 'close', 'validation_loss']);
    expect(at(0.1, 0.089)).toEqual(['full', 'better', 'validation_loss']);
    expect(at(0, 0)).toEqual(['lora', 'close', 'validation_loss']);
  });

  it('goes by the measure that a person chose', () => {
    const runs = [
      measured(LORA, { exact_match: 1, id_copied: 0.5 }),
      measured(FULL, { exact_match: 0.5, id_copied: 0.9 }),
    ];
    const { isLora, measure } = chooseMode(toTestFacts({ runs, chosen_measure: 'id_copied' }));
    expect([isLora, measure?.name]).toEqual([false, 'id_copied']);
  });

  it('says where nothing is left to win', () => {
    const find = (exact_match: number) => {
      const facts = toTestFacts({ runs: [measured(LORA, { exact_match })] });
      return findSaturated(facts, chooseMode(facts));
    };
    expect(find(0.995)).not.toBeNull();
    expect(find(0.9)).toBeNull();
  });

  it('never compares training losses', () => {
    const runs = [measured({ ...LORA, last_loss: 0.5 }, {}), measured({ ...FULL, last_loss: 0.01 }, {})];
    expect(choose(runs)).toEqual(['lora', 'shape', null]);
    expect(choose(runs, 'text')).toEqual(['full', 'shape', null]);
  });

  it('goes by what has run on this snapshot before it goes by the shape of the answers', () => {
    expect(choose([FULL])).toEqual(['full', 'only', null]);
    expect(choose([LORA], 'text')).toEqual(['lora', 'only', null]);
    expect(choose([{ ...FULL, snapshot_id: OTHER }, FAILED], 'tool-calls')).toEqual(['lora', 'shape', null]);
  });
});

it('takes the best measured run of this snapshot, and a rate from another only where there is none', () => {
  const better = toTestRun({ experiment_number: 4, held_out: { exact_match: 0.999 }, last_loss: 0.4 });
  const elsewhere = toTestRun({ snapshot_id: OTHER, held_out: { exact_match: 1 }, last_loss: 0 });
  const facts = toTestFacts({ runs: [elsewhere, measured(LORA, {}), LORA, better] });
  expect(findOwnRun(facts, true)).toBe(better);
  expect(findRateRun(facts, true)).toBe(better);
  expect(findRateRun(toTestFacts({ runs: [elsewhere] }), true)).toBe(elsewhere);
  expect(findOwnRun(toTestFacts({ runs: [elsewhere] }), true)).toBeNull();
});

describe('a failure bears on a rate', () => {
  const near = (isLora: boolean, rate: number, runs: readonly RunFact[] = [FAILED]) =>
    findNearFailure(toTestFacts({ runs }), isLora, rate);

  it('of the same way of training, from a third of its own rate', () => {
    expect(near(false, 0.07)).toBe(FAILED);
    expect(near(false, 4.5e-3)).toBeNull();
    expect(near(true, 0.2)).toBeNull();
    expect(near(false, 0.07, [{ ...FAILED, snapshot_id: OTHER }])?.snapshot_id).toBe(OTHER);
  });

  it('unless that rate or a higher one has worked', () => {
    expect(near(false, 0.2, [FAILED, toTestRun({ lora: false, learning_rate: 0.2 })])).toBeNull();
    expect(near(false, 0.2, [FAILED, toTestRun({ lora: true, learning_rate: 0.2 })])).toBe(FAILED);
  });
});
