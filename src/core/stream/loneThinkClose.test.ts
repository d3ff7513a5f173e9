import { expect, it } from 'vitest';
import * as fc from 'fast-check';
import type { StreamEvent } from './events.ts';
import { loneThinkClose } from './loneThinkClose.ts';
import { EMPTY_MESSAGE, reduceMessages } from './message.ts';
import { thinkStep } from './thinkTags.ts';

const END: StreamEvent = { type: 'message-end', finish_reason: 'stop' };
const delta = (text: string): StreamEvent => ({ type: 'text-delta', text });

function run(batches: readonly (readonly StreamEvent[])[]): { reasoning: string; text: string } {
  const think = thinkStep();
  const step = loneThinkClose();
  const events = batches.flatMap((batch) => step.push(think.push(batch)));
  const { reasoning, text } = reduceMessages(EMPTY_MESSAGE, events);
  return { reasoning, text };
}
const runPieces = (pieces: readonly string[], last: StreamEvent = END) =>
  run([...pieces.map((text) => [delta(text)]), [last]]);

it.each<[string, string, string]>([
  ['plain text', '', 'plain text'],
  ['a</think>b', 'a', 'b'],
  ['\nOkay, so a < b.\n</think>\n\nThe answer.\n', 'Okay, so a < b.\n', 'The answer.\n'],
  ['</think>\n\nb', '', 'b'],
  ['a</think>', 'a', ''],
  ['a</think>b</think>c', 'a', 'b</think>c'],
  ['a</thin', '', 'a</thin'],
  ['a <', '', 'a <'],
  ['<think>a</think>b</think>c', 'a', 'b</think>c'],
  ['The <think> tag ends with </think>.', '', 'The <think> tag ends with </think>.'],
  ['It ends with `</think>` or "</think>".', '', 'It ends with `</think>` or "</think>".'],
  ['I see `</think>` there.</think>b', 'I see `</think>` there.', 'b'],
  ['', '', ''],
])('%j, wherever it is cut', (whole, reasoning, text) => {
  for (let cut = 0; cut <= whole.length; cut += 1)
    expect(runPieces([whole.slice(0, cut), whole.slice(cut)])).toEqual({ reasoning, text });
  expect(runPieces(whole.split(''))).toEqual({ reasoning, text });
});

it('leaves the text of a service that gives the reasoning by itself', () => {
  const events: StreamEvent[] = [{ type: 'reasoning-delta', text: 'r' }, delta('a</think>b'), END];
  expect(run([events])).toEqual({ reasoning: 'r', text: 'a</think>b' });
});

it('loses nothing of an answer that fails or is stopped', () => {
  expect(runPieces(['a</th'], { type: 'stream-error', message: 'no', code: null, param: null }).text).toBe('a</th');
  const step = loneThinkClose();
  expect(step.push([delta('a</th')])).toEqual([delta('a')]);
  expect(step.flush()).toEqual([delta('</th')]);
  expect(step.flush()).toEqual([]);
});

it('gives the same for every cut of any text, and loses no letter', () => {
  const part = fc.constantFrom('<think>', '</think>', '<', '</', 'think', '>', ' ', '\n', 'a', '`', '"');
  const bare = (text: string): string => text.replace(/[^a`"]/g, '');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
      const whole = runPieces([parts.join('')]);
      expect(runPieces(parts)).toEqual(whole);
      expect(runPieces(parts.join('').split(''))).toEqual(whole);
      expect(bare(whole.reasoning + whole.text)).toBe(bare(parts.join('')));
    }),
    { numRuns: 1000 },
  );
});

it('reads a text full of quoted tags in one go', () => {
  const whole = '"</think>'.repeat(200_000);
  expect(runPieces([whole])).toEqual({ reasoning: '', text: whole });
});
