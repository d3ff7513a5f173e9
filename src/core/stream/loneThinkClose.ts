// Moves reasoning out of the text if the chat template wrote `<think>` into the prompt: then only `</think>` arrives.
// Before the tag nothing shows that the text is reasoning, so it is shown as text first.
import { isLastEvent, type AnswerEvent, type StreamEvent } from './events.ts';

const OPEN = '<think>';
const CLOSE = '</think>';
/**
 * ASSUMED: the first `</think>` without a `<think>` before it ends the reasoning (DeepSeek-R1, Qwen3-Thinking), unless
 * one of these is right before it: then the text talks about the tag.
 */
const QUOTES = '`"\'“‘';

export interface LoneThinkClose {
  /** The same events, with `text-was-reasoning` in place of the tag. */
  push(events: readonly StreamEvent[]): readonly AnswerEvent[];
  /** Gives the buffered text, which may be half a tag. For a stream that stops without a last event. */
  flush(): readonly AnswerEvent[];
}

/** How many characters at the end may be the start of a tag. */
function partialLength(text: string): number {
  const at = text.lastIndexOf('<');
  if (at < 0 || text.length - at >= CLOSE.length) return 0;
  const end = text.slice(at);
  return CLOSE.startsWith(end) || OPEN.startsWith(end) ? end.length : 0;
}

type Phase = 'watching' | 'after' | 'over';

export function loneThinkClose(): LoneThinkClose {
  let phase: Phase = 'watching';
  let buffered = '';
  /** The text that was emitted right before `buffered`. */
  let before = '';

  const emit = (out: AnswerEvent[], text: string): void => {
    if (text === '') return;
    out.push({ type: 'text-delta', text });
    before = text;
  };

  /** Where the reasoning ends, before `limit`; -1 if it doesn't. */
  const findClose = (limit: number): number => {
    for (let at = buffered.indexOf(CLOSE); at >= 0 && at < limit; at = buffered.indexOf(CLOSE, at + 1)) {
      if (!QUOTES.includes((at > 0 ? buffered[at - 1] : before.at(-1)) ?? ' ')) return at;
    }
    return -1;
  };

  /** Emits the buffered text, except an end that may be half a tag. */
  const watch = (out: AnswerEvent[]): void => {
    const open = buffered.indexOf(OPEN);
    const close = findClose(open < 0 ? buffered.length : open);
    if (close >= 0) {
      emit(out, buffered.slice(0, close));
      out.push({ type: 'text-was-reasoning' });
      buffered = buffered.slice(close + CLOSE.length);
      phase = 'after';
      return;
    }
    const length = buffered.length - (open >= 0 ? 0 : partialLength(buffered));
    emit(out, buffered.slice(0, length));
    buffered = buffered.slice(length);
    if (open >= 0) phase = 'over';
  };

  const advance = (out: AnswerEvent[]): void => {
    if (phase === 'watching') watch(out);
    if (phase !== 'after') return;
    // White space between the reasoning and the answer belongs to neither.
    buffered = buffered.trimStart();
    if (buffered === '') return;
    phase = 'over';
    emit(out, buffered);
    buffered = '';
  };

  const flush = (): AnswerEvent[] => {
    const out: AnswerEvent[] = [];
    emit(out, buffered);
    buffered = '';
    return out;
  };

  const take = (event: StreamEvent, out: AnswerEvent[]): void => {
    if (event.type === 'text-delta' && phase !== 'over') {
      buffered += event.text;
      advance(out);
      return;
    }
    // A service that sends reasoning separately leaves no tag in the text.
    const isReasoning = event.type === 'reasoning-delta';
    if (isReasoning || isLastEvent(event)) out.push(...flush());
    if (isReasoning) phase = 'over';
    out.push(event);
  };

  return {
    flush,
    push(events) {
      if (phase === 'over') return events;
      const out: AnswerEvent[] = [];
      for (const event of events) take(event, out);
      return out;
    },
  };
}
