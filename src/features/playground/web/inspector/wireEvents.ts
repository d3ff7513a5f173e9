// Splits the recorded body of an answer into its events, each with its time. Pure. It interprets nothing: events stay
// as received.
import { arrayOr, isObject, parseJson } from '#core/contract/readJson.ts';
import type { Exchange } from '#features/playground/web/storage/exchange.ts';

export interface WireEvent {
  /** Milliseconds since the request was sent; null for the note about a cut. */
  readonly ms: number | null;
  readonly text: string;
}

/** A blank line ends a server-sent event; each kind of line end counts. */
const EVENT_END = /\r\n\r\n|\n\r?\n|\r\r/g;

export function isEventStream({ responseHeaders }: Exchange): boolean {
  return responseHeaders.some(([name, value]) => name === 'content-type' && /event-stream/i.test(value));
}

/** Adds the events of one part of `raw`. The network reads are in order, so one index walks over them. */
function pushEvents(found: WireEvent[], { raw, ends, times }: Exchange, from: number, to: number): void {
  let read = 0;
  const add = (start: number, end: number): void => {
    const text = raw.slice(start, end).replace(/^[\r\n]+|[\r\n]+$/g, '');
    while (read < ends.length - 1 && (ends[read] ?? 0) < end) read += 1;
    if (text !== '') found.push({ ms: times[read] ?? null, text });
  };
  EVENT_END.lastIndex = from;
  let start = from;
  for (let match = EVENT_END.exec(raw); match && EVENT_END.lastIndex <= to; match = EVENT_END.exec(raw)) {
    add(start, EVENT_END.lastIndex);
    start = EVENT_END.lastIndex;
  }
  if (start < to) add(start, to);
}

/** The events of a stream; a body that is no stream is one event. A note replaces the cut part. */
export function toWireEvents(exchange: Exchange): readonly WireEvent[] {
  const { raw, times, cut } = exchange;
  if (raw === '') return [];
  const note = (characters: number): WireEvent => ({
    ms: null,
    text: `… ${characters} characters were left out of the record here …`,
  });
  if (!isEventStream(exchange)) {
    const ms = times.at(-1) ?? null;
    return cut
      ? [{ ms, text: raw.slice(0, cut.at) }, note(cut.characters), { ms, text: raw.slice(cut.at) }]
      : [{ ms, text: raw }];
  }
  const found: WireEvent[] = [];
  pushEvents(found, exchange, 0, cut?.at ?? raw.length);
  if (cut) {
    found.push(note(cut.characters));
    pushEvents(found, exchange, cut.at, raw.length);
  }
  return found;
}

const GIST = 300;

/** One short line per event: the parts of a chunk that differ from other chunks, or the start of any other event. */
export function toGist(text: string): string {
  const json = /^data: ?(\{.*\})$/s.exec(text.length > 20_000 ? '' : text)?.[1];
  // What is no JSON is shown as it is.
  const chunk = parseJson(json ?? '');
  const choice = isObject(chunk) ? arrayOr(chunk['choices'])[0] : undefined;
  const { delta, finish_reason } = isObject(choice) ? choice : {};
  const usage = isObject(chunk) ? (chunk['usage'] ?? undefined) : undefined;
  const gist = [
    isObject(delta) && Object.keys(delta).length > 0 ? JSON.stringify(delta) : '',
    typeof finish_reason === 'string' ? `finish_reason: ${finish_reason}` : '',
    usage === undefined ? '' : `usage: ${JSON.stringify(usage)}`,
  ];
  const shown = gist.filter(Boolean).join(' · ') || text.slice(0, GIST).replaceAll(/[\r\n]+/g, ' ⏎ ');
  return shown.slice(0, GIST);
}

/** One JSON object per line: `{"ms": 12.5, "raw": "data: …"}`. */
export function toEventLines(events: readonly WireEvent[]): string {
  return events
    .map(({ ms, text }) => `${JSON.stringify({ ms: ms === null ? null : Math.round(ms * 1000) / 1000, raw: text })}\n`)
    .join('');
}
