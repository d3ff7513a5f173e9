// Takes reasoning out of the text of models that write it there as `<think>…</think>`.
// A step between reading and showing; a service that sends `reasoning_content` passes through it unchanged.
// ASSUMED: only tags at the start of an answer count, as in llama.cpp: a later one is text that talks about tags.
import { isLastEvent, type StreamEvent } from './events.ts';

const OPEN = '<think>';
const CLOSE = '</think>';
/** So much white space may stand before a tag; more of it is text, so that little is ever held back. */
const MAX_SPACE = 64;

export interface ThinkStep {
  /** The same events with leading `<think>` text as `reasoning-delta`. A batch without any passes as it is. */
  push(events: readonly StreamEvent[]): readonly StreamEvent[];
  /** What is held back because it may be half a tag; for a stream that stops without a last event. */
  flush(): readonly StreamEvent[];
}

type Phase = 'start' | 'reasoning-start' | 'reasoning' | 'text';

/** How many characters at the end of `text` may be the beginning of `tag`. */
function partialLength(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length -= 1) {
    if (tag.startsWith(text.slice(-length))) return length;
  }
  return 0;
}

export function thinkStep(): ThinkStep {
  let phase: Phase = 'start';
  let held = '';
  let hasThought = false;

  /** Moves `held` on as far as it can be told what it is. */
  const advance = (out: StreamEvent[], isLast: boolean): void => {
    for (;;) {
      if (phase === 'start') {
        const text = held.trimStart();
        if (text.startsWith(OPEN)) {
          phase = 'reasoning-start';
          hasThought = true;
          held = text.slice(OPEN.length);
          continue;
        }
        if (!isLast && held.length <= MAX_SPACE && OPEN.startsWith(text)) return;
        phase = 'text';
        // Blank lines between the reasoning and the answer belong to neither.
        if (hasThought) held = text;
        continue;
      }
      if (phase === 'text') {
        if (held !== '') out.push({ type: 'text-delta', text: held });
        held = '';
        return;
      }
      if (phase === 'reasoning-start') {
        held = held.trimStart();
        if (held === '') return;
        phase = 'reasoning';
      }
      const close = held.indexOf(CLOSE);
      const length = close >= 0 ? close : held.length - (isLast ? 0 : partialLength(held, CLOSE));
      if (length > 0) out.push({ type: 'reasoning-delta', text: held.slice(0, length) });
      held = held.slice(close >= 0 ? close + CLOSE.length : length);
      if (close < 0) return;
      phase = 'start';
    }
  };

  const flush = (): StreamEvent[] => {
    const out: StreamEvent[] = [];
    if (held !== '') advance(out, true);
    return out;
  };

  return {
    push(events) {
      if (phase === 'text') return events;
      const out: StreamEvent[] = [];
      for (const event of events) {
        if (event.type === 'text-delta') {
          held += event.text;
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
