// Text in pieces -> server-sent events, the same wherever the text is cut. eventsource-parser reads the grammar. This
// file adds: a lone CR ends a line at once, the byte order mark, the size limit of an event, and the event that is
// unfinished when the stream ends.
import { createParser } from 'eventsource-parser';
import { MAX_EVENT_CHARACTERS } from '#core/contract/limits.ts';

export interface SseEvent {
  /** The event's name, or null. */
  readonly event: string | null;
  readonly data: string;
  /**
   * `cut`: the stream ended before the blank line that ends an event, so `data` may be incomplete.
   * `too-large`: the event exceeds the size limit; `data` is empty and nothing after it is read.
   */
  readonly fault: 'cut' | 'too-large' | null;
}

export interface SseDecoder {
  /** Takes the next piece of text and gives the events that it completes. */
  push(text: string): readonly SseEvent[];
  /** Call it when the stream has ended. Gives the unfinished event, marked `cut`, if there is one. */
  flush(): readonly SseEvent[];
}

/** Room for a field's name: the limit is for the data alone, wherever the text was cut. */
const FIELD_ROOM = 64;

/** `maxCharacters` limits the data of one event, and so the memory that a hostile stream can use. */
export function sseDecoder(maxCharacters: number = MAX_EVENT_CHARACTERS): SseDecoder {
  let found: SseEvent[] = [];
  let fault: 'cut' | null = null;
  let hasOverflowed = false;
  let isStarted = false;
  let endsWithReturn = false;

  const overflow = (): void => {
    if (!hasOverflowed) found.push({ event: null, data: '', fault: 'too-large' });
    hasOverflowed = true;
  };
  const parser = createParser({
    maxBufferSize: maxCharacters + FIELD_ROOM,
    onEvent: ({ event, data }) => {
      if (hasOverflowed) return;
      if (data.length > maxCharacters) overflow();
      else found.push({ event: event ?? null, data, fault });
    },
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') overflow();
    },
  });
  // The parser drops the Latin-1 form of a byte order mark from its first piece. Here it is text, so the first is
  // empty.
  parser.feed('');

  /** CR and CRLF -> LF. A CR at the end of a piece ends its line now; an LF that follows belongs to it. */
  const normalise = (text: string): string => {
    const rest = endsWithReturn && text.startsWith('\n') ? text.slice(1) : text;
    endsWithReturn = text.endsWith('\r');
    return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest;
  };

  const feed = (text: string): readonly SseEvent[] => {
    if (hasOverflowed || text === '') return [];
    parser.feed(text);
    const events = found;
    found = [];
    return events;
  };

  return {
    push(text) {
      if (text === '') return [];
      const rest = !isStarted && text.startsWith('\uFEFF') ? text.slice(1) : text;
      isStarted = true;
      return rest === '' ? [] : feed(normalise(rest));
    },
    flush() {
      fault = 'cut';
      return feed('\n\n');
    },
  };
}
