// Text in pieces -> server-sent events. The same events come out wherever the text is cut.
// eventsource-parser reads the grammar; this file adds what it leaves open: a lone CR as a line end at once,
// a byte order mark, the size cap of a single event, and the event that an ended stream leaves unfinished.
import { createParser } from 'eventsource-parser';
import { MAX_EVENT_CHARACTERS } from '#shared/contract/limits.ts';

export interface SseEvent {
  /** The event's name; null when it has none. */
  readonly event: string | null;
  readonly data: string;
  /**
   * `cut`: the stream ended before the blank line that ends an event, so `data` may be incomplete.
   * `too-large`: the event exceeds the cap; `data` is empty and nothing after it is read.
   */
  readonly fault: 'cut' | 'too-large' | null;
}

export interface SseDecoder {
  /** Takes the next piece of text and gives the events that it completes. */
  push(text: string): readonly SseEvent[];
  /** The stream has ended: gives the unfinished event, if there is one, marked `cut`. */
  flush(): readonly SseEvent[];
}

/** Room for a field's name, so that the cap holds for the data alone, wherever the text was cut. */
const FIELD_ROOM = 64;

/** `maxCharacters` bounds the data of one event, and with it the memory that a hostile stream can take. */
export function sseDecoder(maxCharacters: number = MAX_EVENT_CHARACTERS): SseDecoder {
  let found: SseEvent[] = [];
  let fault: 'cut' | null = null;
  let isOverflown = false;
  let isStarted = false;
  let endsWithReturn = false;

  const overflow = (): void => {
    if (!isOverflown) found.push({ event: null, data: '', fault: 'too-large' });
    isOverflown = true;
  };
  const parser = createParser({
    maxBufferSize: maxCharacters + FIELD_ROOM,
    onEvent: ({ event, data }) => {
      if (isOverflown) return;
      if (data.length > maxCharacters) overflow();
      else found.push({ event: event ?? null, data, fault });
    },
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') overflow();
    },
  });
  // The parser takes the Latin-1 reading of a byte order mark for one, but in its first piece only.
  parser.feed('');

  /** CR and CRLF -> LF. A CR at the end of a piece ends its line now; an LF that follows belongs to it. */
  const normalise = (text: string): string => {
    const rest = endsWithReturn && text.startsWith('\n') ? text.slice(1) : text;
    endsWithReturn = text.endsWith('\r');
    return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest;
  };

  const feed = (text: string): readonly SseEvent[] => {
    if (isOverflown || text === '') return [];
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
