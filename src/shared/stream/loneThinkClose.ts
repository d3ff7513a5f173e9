// Takes reasoning out of an answer whose chat template has written `<think>` into the prompt: only `</think>` arrives.
// Until then nothing tells the reasoning from an answer, so it is shown as text and becomes reasoning with the tag.
import { isLastEvent, type AnswerEvent, type StreamEvent } from './events.ts';

const OPEN = '<think>';
const CLOSE = '</think>';
/**
 * ASSUMED: the first `</think>` without a `<think>` before it ends the reasoning (DeepSeek-R1, Qwen3-Thinking), unless
 * one of these stands right before it: then the text talks about the tag.
 */
const QUOTES = '`"\'“‘';

export interface LoneThinkClose {
  /** The same events, and `text-was-reasoning` in place of the tag. A batch that can hold no tag passes as it is. */
  push(events: readonly StreamEvent[]): readonly AnswerEvent[];
  /** What is held back because it may be half a tag; for a stream that stops without a last event. */
  flush(): readonly AnswerEvent[];
}

/** Measured: most answers hold a `<` here and there, and looking closer at each costs as much as reading the chunk. */
function mayHoldTag(text: string): boolean {
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    const next = text[at + 1];
    if (next === undefined || next === '/' || next === 't') return true;
  }
  return false;
}

/** How many characters at the end may be the beginning of a tag. */
function partialLength(text: string): number {
  const at = text.lastIndexOf('<');
  if (at < 0 || text.length - at >= CLOSE.length) return 0;
  const end = text.slice(at);
  return CLOSE.startsWith(end) || OPEN.startsWith(end) ? end.length : 0;
}

type Phase = 'watching' | 'after' | 'over';

export function loneThinkClose(): LoneThinkClose {
  let phase: Phase = 'watching';
  let held = '';
  /** The text before `held`. */
  let before = '';

  const say = (out: AnswerEvent[], text: string): void => {
    if (text === '') return;
    out.push({ type: 'text-delta', text });
    before = text;
  };

  /** Where the reasoning ends, before `limit`; -1: not here. */
  const findClose = (limit: number): number => {
    for (let at = held.indexOf(CLOSE); at >= 0 && at < limit; at = held.indexOf(CLOSE, at + 1)) {
      if (!QUOTES.includes((at > 0 ? held[at - 1] : before.at(-1)) ?? ' ')) return at;
    }
    return -1;
  };

  /** Gives what can be told of `held`; what may be half a tag stays. */
  const watch = (out: AnswerEvent[]): void => {
    const open = held.indexOf(OPEN);
    const close = findClose(open < 0 ? held.length : open);
    if (close >= 0) {
      say(out, held.slice(0, close));
      out.push({ type: 'text-was-reasoning' });
      held = held.slice(close + CLOSE.length);
      phase = 'after';
      return;
    }
    const length = held.length - (open >= 0 ? 0 : partialLength(held));
    say(out, held.slice(0, length));
    held = held.slice(length);
    if (open >= 0) phase = 'over';
  };

  const advance = (out: AnswerEvent[]): void => {
    if (phase === 'watching') watch(out);
    if (phase !== 'after') return;
    // Blank lines between the reasoning and the answer belong to neither.
    held = held.trimStart();
    if (held === '') return;
    phase = 'over';
    say(out, held);
    held = '';
  };

  const flush = (): AnswerEvent[] => {
    const out: AnswerEvent[] = [];
    say(out, held);
    held = '';
    return out;
  };

  /** Nothing has to be found in it. */
  const isPlain = (event: StreamEvent): boolean => {
    if (event.type === 'text-delta') return phase === 'watching' && held === '' && !mayHoldTag(event.text);
    return event.type !== 'reasoning-delta' && !isLastEvent(event);
  };

  const take = (event: StreamEvent, out: AnswerEvent[]): void => {
    if (event.type === 'text-delta' && phase !== 'over') {
      held += event.text;
      advance(out);
      return;
    }
    // A service that gives reasoning by itself leaves no tag in the text.
    const isTold = event.type === 'reasoning-delta';
    if (isTold || isLastEvent(event)) out.push(...flush());
    if (isTold) phase = 'over';
    out.push(event);
  };

  return {
    flush,
    push(events) {
      if (phase === 'over') return events;
      let out: AnswerEvent[] | null = null;
      let index = 0;
      for (const event of events) {
        if (isPlain(event)) {
          if (event.type === 'text-delta') before = event.text;
          out?.push(event);
        } else {
          take(event, (out ??= events.slice(0, index)));
        }
        index += 1;
      }
      return out ?? events;
    },
  };
}
