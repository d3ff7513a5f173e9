// Moves `<think>…</think>` out of the text of an answer, into its reasoning. Answers of services that send
// `reasoning_content` pass unchanged.
// ASSUMED: only tags at the start of an answer count, as in llama.cpp. A later one is text that talks about tags.
import { isLastEvent, type StreamEvent } from './events.ts';

const OPEN = '<think>';
const CLOSE = '</think>';
/** How much white space may come before a tag. More of it is text, so that little is ever buffered. */
const MAX_SPACE = 64;

export interface ThinkStep {
  /** The same events, with leading `<think>` text as `reasoning-delta`. */
  push(events: readonly StreamEvent[]): readonly StreamEvent[];
  /** Gives the buffered text, which may be half a tag. For a stream that stops without a last event. */
  flush(): readonly StreamEvent[];
}

type Phase = 'start' | 'reasoning-start' | 'reasoning' | 'text';

/** How many characters at the end of `text` may be the start of `tag`. */
function partialLength(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length -= 1) {
    if (tag.startsWith(text.slice(-length))) return length;
  }
  return 0;
}

export function thinkStep(): ThinkStep {
  let phase: Phase = 'start';
  let buffered = '';
  let hasThought = false;

  /** Emits buffered text as soon as it is known to be reasoning or text. */
  const advance = (out: StreamEvent[], isLast: boolean): void => {
    for (;;) {
      if (phase === 'start') {
        const text = buffered.trimStart();
        if (text.startsWith(OPEN)) {
          phase = 'reasoning-start';
          hasThought = true;
          buffered = text.slice(OPEN.length);
          continue;
        }
        if (!isLast && buffered.length <= MAX_SPACE && OPEN.startsWith(text)) return;
        phase = 'text';
        // White space between the reasoning and the answer belongs to neither.
        if (hasThought) buffered = text;
        continue;
      }
      if (phase === 'text') {
        if (buffered !== '') out.push({ type: 'text-delta', text: buffered });
        buffered = '';
        return;
      }
      if (phase === 'reasoning-start') {
        buffered = buffered.trimStart();
        if (buffered === '') return;
        phase = 'reasoning';
      }
      const close = buffered.indexOf(CLOSE);
      const length = close >= 0 ? close : buffered.length - (isLast ? 0 : partialLength(buffered, CLOSE));
      if (length > 0) out.push({ type: 'reasoning-delta', text: buffered.slice(0, length) });
      buffered = buffered.slice(close >= 0 ? close + CLOSE.length : length);
      if (close < 0) return;
      phase = 'start';
    }
  };

  const flush = (): StreamEvent[] => {
    const out: StreamEvent[] = [];
    if (buffered !== '') advance(out, true);
    return out;
  };

  return {
    push(events) {
      if (phase === 'text') return events;
      const out: StreamEvent[] = [];
      for (const event of events) {
        if (event.type === 'text-delta') {
          buffered += event.text;
          advance(out, false);
        } else {
          if (isLastEvent(event)) out.push(...flush());
          out.push(event);
        }
      }
      return out;
    },
    flush,
  };
}
