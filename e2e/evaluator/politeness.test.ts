import { expect, it } from 'vitest';
import { openOwnEvaluator } from '#features/evaluation/server/scoring/ownEvaluator.ts';
import { openEvaluator } from './politeness.ts';
import { listen } from '#service/files/keep.fixture.ts';

it('the example judges as the studio asks it', async () => {
  const url = await listen(openEvaluator('secret'));
  const scorer = openOwnEvaluator(
    { id: 'own', kind: 'http', evaluator: 'politeness' },
    {
      access: { allowed: [{ name: 'politeness', url }], token: 'secret' },
      toMessages: () => [{ role: 'user', content: 'Where is my parcel?' }],
    },
  );
  const toOrder = (position: number, text: string) => ({
    row: { position },
    at: 0,
    repeat: 1,
    model: 'm',
    text,
    reasoning: null,
    calls: [],
    finish_reason: 'stop',
    completion_tokens: 1,
    ms: 1,
    against: null,
  });
  const orders = [toOrder(0, 'Thank you, I am happy to look.'), toOrder(1, 'No.')];
  const scored = await scorer.score(orders, new AbortController().signal);
  expect(scored.get('own')).toEqual([
    { position: 0, repeat: 1, outcome: 'pass', score: 1, reason: 'It says thank, happy to.' },
    { position: 1, repeat: 1, outcome: 'fail', score: 0, reason: 'No polite word.' },
  ]);
});
