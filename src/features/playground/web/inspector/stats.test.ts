import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReadUsage } from '#core/stream/events.ts';
import { EMPTY_MESSAGE, type AssistantMessage } from '#core/stream/message.ts';
import {
  EMPTY_TIMING,
  toPendingAnswer,
  type AnswerPhase,
  type AnswerTiming,
} from '#features/playground/web/desk/desk.ts';
import { toStats, toUsageText } from './stats.ts';

const usage = (prompt_tokens: number | null, completion_tokens: number | null): ReadUsage => ({
  prompt_tokens,
  completion_tokens,
  total_tokens: null,
});
const stats = (message: Partial<AssistantMessage>, timing: Partial<AnswerTiming>, phase: AnswerPhase = 'done') =>
  toStats(
    {
      ...toPendingAnswer('a', 'm', 0),
      phase,
      message: { ...EMPTY_MESSAGE, ...message },
      timing: { ...EMPTY_TIMING, ...timing },
    },
    String,
  );

describe('tokens per second', () => {
  const timing = { firstMs: 500, textMs: 500, endMs: 2500 };

  it.each<[string, Partial<AssistantMessage>, Partial<AnswerTiming>, number | null]>([
    ['counts from the first token, which is not part of the span', { usage: usage(1, 101) }, timing, 50],
    ['is what the service measured, when it says so', { usage: usage(1, 101), tokensPerSecond: 61.5 }, timing, 61.5],
    ['is what the service measured, without usage too', { tokensPerSecond: 61.5 }, timing, 61.5],
    ['is unknown without usage, however long the text is', { text: 'word '.repeat(500) }, timing, null],
    ['is unknown when the answer is not counted', { usage: usage(7, null) }, timing, null],
    ['says nothing below 40 tokens', { usage: usage(1, 39) }, timing, null],
    ['says nothing below 40 tokens, even measured', { usage: usage(1, 39), tokensPerSecond: 61.5 }, timing, null],
    ['begins at 40 tokens', { usage: usage(1, 40) }, { firstMs: 0, endMs: 1000 }, 39],
    ['says nothing below 200 ms', { usage: usage(1, 1000) }, { firstMs: 500, endMs: 699 }, null],
    ['says nothing below 200 ms, even measured', { tokensPerSecond: 61.5 }, { firstMs: 500, endMs: 699 }, null],
    ['begins at 200 ms', { usage: usage(1, 41) }, { firstMs: 500, endMs: 700 }, 200],
    ['is unknown while the answer is on its way', { usage: usage(1, 101) }, { firstMs: 500 }, null],
    ['is unknown where no token came', { usage: usage(1, 101) }, { endMs: 2500 }, null],
  ])('%s', (_what, message, at, expected) => expect(stats(message, at).tokensPerSecond).toBe(expected));

  it('does not depend on the text or its pieces', () => {
    fc.assert(
      fc.property(
        fc.string(),
        (text) => void expect(stats({ text, usage: usage(1, 101) }, timing).tokensPerSecond).toBe(50),
      ),
    );
  });
});

describe('usage', () => {
  it.each<[ReadUsage | null, string]>([
    [usage(38, 24), '38 → 24 tokens'],
    [usage(0, 0), '0 → 0 tokens'],
    [usage(38, null), '38 → ? tokens'],
    [usage(null, 24), '? → 24 tokens'],
    [usage(null, null), 'usage unknown'],
    [{ ...usage(null, null), total_tokens: 62 }, 'usage unknown'],
    [null, 'usage unknown'],
  ])('%j is %j', (given, expected) => expect(toUsageText(given, String)).toBe(expected));

  it('is written with the given format', () =>
    expect(toUsageText(usage(1000, 2), (n) => `<${n}>`)).toBe('<1000> → <2> tokens'));

  it.each<[AnswerPhase, number | null, string | null]>([
    ['sending', null, null],
    ['streaming', null, null],
    // A retry that has brought nothing yet: the end is that of the answer before it.
    ['sending', 900, null],
    ['done', 900, 'usage unknown'],
    ['stopped', 900, 'usage unknown'],
    ['failed', 900, 'usage unknown'],
    ['interrupted', 900, 'usage unknown'],
    ['interrupted', null, null],
  ])('of a %s answer that ended at %s: %j', (phase, endMs, expected) =>
    expect(stats({}, { endMs }, phase).usage).toBe(expected),
  );
});

describe('times', () => {
  it('are unknown before anything came', () =>
    expect(stats({}, {}, 'sending')).toMatchObject({ timeToFirst: null, total: null, reasoningMs: null }));

  it('are the first token and the end', () =>
    expect(stats({}, { firstMs: 120, endMs: 900 })).toMatchObject({ timeToFirst: 120, total: 900 }));

  it.each<[string, string, Partial<AnswerTiming>, number | null]>([
    ['lasts until the text begins', 'why', { firstMs: 100, textMs: 700, endMs: 900 }, 600],
    ['lasts until the end where no text came', 'why', { firstMs: 100, endMs: 900 }, 800],
    ['has no length while it goes on', 'why', { firstMs: 100 }, null],
    ['has no length where there is none', '', { firstMs: 100, textMs: 100, endMs: 900 }, null],
  ])('reasoning %s', (_what, reasoning, timing, expected) =>
    expect(stats({ reasoning }, timing).reasoningMs).toBe(expected),
  );
});
