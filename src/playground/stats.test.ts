import { describe, expect, it } from 'vitest';
import { EMPTY_MESSAGE, type AssistantMessage } from '../stream/message';
import { toPendingAnswer, type AnswerTiming, type AnswerTurn } from './desk';
import { toParameterSummary } from './parameterSummary';
import { toStats, toUsageText } from './stats';

const usage = (completion_tokens: number | null, prompt_tokens: number | null = 38) => ({ completion_tokens, prompt_tokens, total_tokens: null });

function turn(timing: Partial<AnswerTiming>, message: Partial<AssistantMessage>, phase: AnswerTurn['phase'] = 'done'): AnswerTurn {
  return { ...toPendingAnswer('a', 'm', 0), phase, timing: { firstMs: 20, textMs: 20, endMs: 1020, ...timing }, message: { ...EMPTY_MESSAGE, ...message } };
}

const rate = (of: AnswerTurn): number | null => toStats(of, String).tokensPerSecond;

describe('toStats', () => {
  it('counts tokens per second from usage, after the first token', () => {
    expect(rate(turn({}, { usage: usage(101) }))).toBe(100);
  });

  it("takes the service's own rate where it gives one", () => {
    expect(rate(turn({}, { usage: usage(101), tokensPerSecond: 123 }))).toBe(123);
  });

  it('gives no rate below 40 tokens, below 200 ms, or without a count', () => {
    expect(rate(turn({}, { usage: usage(39) }))).toBeNull();
    expect(rate(turn({}, { usage: usage(40) }))).not.toBeNull();
    expect(rate(turn({ endMs: 219 }, { usage: usage(500), tokensPerSecond: 9 }))).toBeNull();
    expect(rate(turn({}, { usage: null, text: 'many words '.repeat(100) }))).toBeNull();
    expect(rate(turn({ endMs: null }, { usage: usage(500) }))).toBeNull();
  });

  it('says that usage is unknown, never 0, and only once the answer is over', () => {
    expect(toStats(turn({}, {}), String).usage).toBe('usage unknown');
    expect(toStats(turn({ endMs: null }, {}, 'streaming'), String).usage).toBeNull();
    expect(toUsageText(usage(24), String)).toBe('38 → 24 tokens');
    expect(toUsageText(usage(24, null), String)).toBe('? → 24 tokens');
    expect(toUsageText(usage(null, null), String)).toBe('usage unknown');
  });

  it('gives the time of reasoning, to its end or to the end of the answer', () => {
    expect(toStats(turn({ textMs: 320 }, { reasoning: 'hm' }), String).reasoningMs).toBe(300);
    expect(toStats(turn({ textMs: null }, { reasoning: 'hm' }), String).reasoningMs).toBe(1000);
    expect(toStats(turn({}, {}), String).reasoningMs).toBeNull();
  });
});

describe('toParameterSummary', () => {
  it('names what is set and nothing else', () => {
    expect(toParameterSummary({})).toBe('all defaults');
    expect(toParameterSummary({ temperature: 0, top_p: undefined, seed: 7, max_completion_tokens: 200, stop: [','] })).toBe('Temperature 0 · max 200 tokens · seed 7 · 1 stop sequence');
  });
});
