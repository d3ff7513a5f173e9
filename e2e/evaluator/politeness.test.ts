import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openOwnEvaluator } from '#features/evaluation/server/scoring/ownEvaluator.ts';
import { openEvaluator } from './politeness.ts';

const server = openEvaluator('secret');
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());

it('the example judges as the studio asks it', async () => {
  const { port } = server.address() as AddressInfo;
  const scorer = openOwnEvaluator(
    { id: 'own', kind: 'http', evaluator: 'politeness' },
    {
      access: { allowed: [{ name: 'politeness', url: `http://127.0.0.1:${port}` }], token: 'secret' },
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
