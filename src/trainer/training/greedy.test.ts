import { expect, it } from 'vitest';
import { toBatch } from '#trainer/model/batch.ts';
import { openTiny, TINY } from '#trainer/model/tinyModel.fixture.ts';
import type { Transformer } from '#trainer/model/transformer.ts';
import { toLoneCrew } from '#trainer/threads/crew.ts';
import { answerGreedily } from './greedy.ts';

const END = 3;
const pause = async (): Promise<void> => {};

/** One token at a time, from the logits. */
function answerSlowly(model: Transformer, prompt: readonly number[], most: number): readonly number[] {
  const answer: number[] = [];
  while (answer.length < most) {
    const tokens = Int32Array.from([...prompt, ...answer, 0]);
    const logits = model.logits(toBatch([{ tokens, isTarget: new Uint8Array(tokens.length) }]));
    const last = logits.subarray(-TINY.vocabulary);
    const token = last.indexOf(Math.max(...last));
    if (token === END) break;
    answer.push(token);
  }
  return answer;
}

it('answers are those of one token at a time, whatever the draft', async () => {
  const model = openTiny(3, { rank: 4, alpha: 8 });
  const prompts = [[1, 2], [5, 6, 7, 8], [9], [4, 4, 4], [12, 0, 11]];
  const slow = prompts.map((prompt) => answerSlowly(model, prompt, 20));
  expect(new Set(slow.map(String)).size).toBeGreaterThan(1);
  const drafts = [[], slow[0]!, [...slow[0]!, END], [1, 2, 3, 4, 5], Array.from({ length: 40 }, () => 6)];
  for (const draft of drafts) {
    const asked = prompts.map((prompt) => ({ prompt, draft, most: 20 }));
    expect(await answerGreedily(toLoneCrew(model), asked, { end: END, maxTokens: 60, pause })).toEqual(slow);
  }
});

it('ends when its budget is used up, with what is done', async () => {
  const model = openTiny(3);
  const whole = answerSlowly(model, [1, 2], 12);
  const asked = [
    { prompt: [1, 2], draft: [...whole, END], most: 12 },
    { prompt: [5, 6, 7, 8], draft: [], most: 12 },
  ];
  const [first, second] = await answerGreedily(toLoneCrew(model), asked, { end: END, maxTokens: 60, budget: 1, pause });
  expect(first).toEqual(whole);
  expect(second).toBeNull();
});
