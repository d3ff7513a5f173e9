// The speed and size of an answer. Unknown stays unknown: nothing is guessed from chunks.
import type { ReadUsage } from '#core/stream/events.ts';
import { isBusy, type Answer } from '#features/playground/web/desk/desk.ts';

/** Below these bounds a rate means nothing. */
const MIN_TOKENS = 40;
const MIN_MS = 200;

export interface AnswerStats {
  /** Milliseconds; null while unknown. */
  readonly timeToFirst: number | null;
  readonly total: number | null;
  readonly tokensPerSecond: number | null;
  readonly reasoningMs: number | null;
  /** "38 → 24 tokens", "usage unknown", or null while the answer is on its way. */
  readonly usage: string | null;
}

function toRate(answer: Answer): number | null {
  const { firstMs, endMs } = answer.timing;
  const tokens = answer.message.usage?.completion_tokens ?? null;
  if (firstMs === null || endMs === null) return null;
  const span = endMs - firstMs;
  if (span < MIN_MS || (tokens !== null && tokens < MIN_TOKENS)) return null;
  if (answer.message.tokensPerSecond !== null) return answer.message.tokensPerSecond;
  // The first token's time is the wait before it, so it is not part of the span.
  return tokens === null ? null : ((tokens - 1) / span) * 1000;
}

/** "38 → 24 tokens"; a count that the service did not report is a question mark. */
export function toUsageText(usage: ReadUsage | null, format: (n: number) => string): string {
  if (usage === null || (usage.prompt_tokens === null && usage.completion_tokens === null)) return 'usage unknown';
  const show = (count: number | null): string => (count === null ? '?' : format(count));
  return `${show(usage.prompt_tokens)} → ${show(usage.completion_tokens)} tokens`;
}

export function toStats(answer: Answer, format: (n: number) => string): AnswerStats {
  const { firstMs, textMs, endMs } = answer.timing;
  const isOver = !isBusy(answer.phase);
  const reasoningEnd = textMs ?? endMs;
  return {
    timeToFirst: firstMs,
    total: endMs,
    tokensPerSecond: toRate(answer),
    reasoningMs:
      answer.message.reasoning !== '' && firstMs !== null && reasoningEnd !== null ? reasoningEnd - firstMs : null,
    usage: isOver && endMs !== null ? toUsageText(answer.message.usage, format) : null,
  };
}
