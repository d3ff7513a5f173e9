import { expect, it } from 'vitest';
import * as fc from 'fast-check';
import type { StreamEvent } from './events.ts';
import { EMPTY_MESSAGE, reduceMessages } from './message.ts';
import { thinkStep } from './thinkTags.ts';

const END: StreamEvent = { type: 'message-end', finish_reason: 'stop' };

function run(pieces: readonly string[], last: StreamEvent = END): { reasoning: string; text: string } {
  const step = thinkStep();
  const batches = [...pieces.map((text) => step.push([{ type: 'text-delta', text }])), step.push([last])];
  const { reasoning, text } = reduceMessages(EMPTY_MESSAGE, batches.flat());
  return { reasoning, text };
}

it.each<[string, string, string]>([
  ['plain text', '', 'plain text'],
  ['<think>a</think>b', 'a', 'b'],
  ['<think>\na\n</think>\n\nb\n', 'a\n', 'b\n'],
  ['  \n<think>a</think>b', 'a', 'b'],
  ['<think>\n\n</think>\n\nb', '', 'b'],
  ['<think></think>b', '', 'b'],
  ['<think>a</think> <think>b</think> c', 'ab', 'c'],
  ['<think>never closed', 'never closed', ''],
  ['<think>a</thin', 'a</thin', ''],
  ['<think>if a < b </ then', 'if a < b </ then', ''],
  ['<thin', '', '<thin'],
  ['<thinking>a</thinking>', '', '<thinking>a</thinking>'],
  ['  lead', '', '  lead'],
  ['The <think> tag', '', 'The <think> tag'],
  ['<think>a</think>b <think>c</think>', 'a', 'b <think>c</think>'],
  ['a</think>b', '', 'a</think>b'],
  ['', '', ''],
])('%j, wherever it is cut', (whole, reasoning, text) => {
  for (let cut = 0; cut <= whole.length; cut += 1) {
    expect(run([whole.slice(0, cut), whole.slice(cut)])).toEqual({ reasoning, text });
  }
  expect(run(whole.split(''))).toEqual({ reasoning, text });
});

it('loses nothing of an answer that fails or is stopped', () => {
  expect(run(['<thi'], { type: 'stream-error', message: 'no', code: null, param: null }).text).toBe('<thi');
  expect(run(['<think>a</th'], { type: 'stream-interrupted', reason: 'no' }).reasoning).toBe('a</th');
  const step = thinkStep();
  expect(step.push([{ type: 'text-delta', text: '<th' }])).toEqual([]);
  expect(step.flush()).toEqual([{ type: 'text-delta', text: '<th' }]);
  expect(step.flush()).toEqual([]);
});

it('puts what was held back before the last event', () => {
  expect(thinkStep().push([{ type: 'text-delta', text: '<th' }, END])).toEqual([
    { type: 'text-delta', text: '<th' },
    END,
  ]);
});

it('passes other events, and whole batches once the answer has begun', () => {
  const step = thinkStep();
  const usage: StreamEvent = { type: 'usage', usage: { completion_tokens: 1, prompt_tokens: 1, total_tokens: 2 } };
  expect(step.push([usage])).toEqual([usage]);
  step.push([{ type: 'text-delta', text: 'answer' }]);
  const batch: StreamEvent[] = [{ type: 'text-delta', text: ' <think>' }, usage];
  expect(step.push(batch)).toBe(batch);
});

it('holds little white space back, so that a service that sends nothing else is not collected', () => {
  const step = thinkStep();
  const seen = Array.from({ length: 1000 }, () => step.push([{ type: 'text-delta', text: ' ' }])).flat();
  expect(reduceMessages(EMPTY_MESSAGE, seen).text.length).toBeGreaterThan(900);
});

it('gives the same for every cut of any text', () => {
  const part = fc.constantFrom('<think>', '</think>', '<', '</', 'think', '>', ' ', '\n', 'a');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
      expect(run(parts)).toEqual(run([parts.join('')]));
      expect(run(parts.join('').split(''))).toEqual(run([parts.join('')]));
    }),
    { numRuns: 1000 },
  );
});
