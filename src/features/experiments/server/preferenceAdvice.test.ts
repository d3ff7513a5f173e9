import { expect, it } from 'vitest';
import { CATALOGUE } from './catalogue.ts';
import { toTestFacts } from './facts.fixture.ts';
import { recommend } from './recommender.ts';
import { EMPTY_TALLY, reduceTally, toRowFacts } from './snapshotFacts.ts';

const say = (content: string) => [{ role: 'assistant', content }];
const messages = [{ role: 'user', content: 'Hi' }];
const CHAT = { messages: [...messages, ...say('Hello')] };
const PAIR = { messages, chosen: say('Hello'), rejected: say('No') };
const LABEL = { messages, completion: say('Hello'), label: true };

it.each([
  { rows: [CHAT, CHAT], objective: 'sft' },
  { rows: [CHAT, PAIR], objective: 'sft' },
  { rows: [PAIR, PAIR, LABEL], objective: 'dpo' },
  { rows: [LABEL], objective: 'kto' },
  { rows: [], objective: 'sft' },
])('rows $rows are learnt by $objective', ({ rows, objective }) => {
  const page = rows.map((row) => ({ bucket: 'training' as const, body: JSON.stringify(row) }));
  expect(toRowFacts(reduceTally(EMPTY_TALLY, page)).objective).toBe(objective);
});

it('pairs are advised DPO, with a sixtieth of the rate, at most 3 epochs and batches of 8 or more, each run once', () => {
  const facts = toTestFacts({ runs: [], training_count: 100 });
  const plain = recommend(facts, CATALOGUE);
  const advice = recommend({ ...facts, objective: 'dpo' }, CATALOGUE);
  const [before, after] = [plain.recommended_experiments[0]!, advice.recommended_experiments[0]!];
  expect(before.objective).toBeUndefined();
  expect(after).toMatchObject({ objective: 'dpo', recommended: true });
  expect(after.learning_rate_multiplier).toBeCloseTo(before.learning_rate_multiplier / 60, 6);
  expect(after.reason_for_recommendation).toMatch(/^The rows are pairs of answers, so the run learns by DPO/);
  expect(after.reason_for_recommendation).toContain('Its steps and minutes are not known here');
  for (const { n_epochs } of advice.recommended_experiments) expect(n_epochs).toBeLessThanOrEqual(3);
  for (const { batch_size } of advice.recommended_experiments) expect(batch_size).toBeGreaterThanOrEqual(8);
  expect(advice.recommended_models[0]?.lora_hyperparameters.objective).toBe('dpo');
  const keys = advice.recommended_experiments.map((run) =>
    [run.base_model_id, run.lora, run.n_epochs, run.batch_size, run.learning_rate_multiplier].join(' '),
  );
  expect(new Set(keys).size).toBe(keys.length);
});
