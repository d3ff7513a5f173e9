import { useMemo } from 'react';
import { formatCount } from '#ui/kit/format.ts';
import type { Exchange } from '#features/playground/web/storage/exchange.ts';
import { toHeaderText } from './exchangeSummary.ts';
import { InspectorEvents } from './InspectorEvents.tsx';
import { InspectorTools } from './InspectorTools.tsx';
import { toPrettyJson } from '#core/contract/jsonPlaces.ts';
import { toEventLines, type WireEvent } from './wireEvents.ts';
import { SCROLLING } from '#ui/kit/scrolling.ts';

interface InspectorRawProps {
  label: string;
  text: string;
}

/** A longer text would block the page. Copy and download take all of it. */
const SHOWN = 200_000;

/** Shows a recorded text unchanged. */
function InspectorRaw({ label, text }: InspectorRawProps) {
  return (
    <pre
      {...SCROLLING}
      aria-label={label}
      className={
        'max-h-[58vh] overflow-auto rounded-lg border border-line bg-raised px-2.5 py-1.5 font-mono text-xs ' +
        '[overflow-wrap:anywhere] whitespace-pre-wrap'
      }
    >
      {text.length > SHOWN ? `${text.slice(0, SHOWN)}\n… shown up to here; copy or download the whole` : text}
    </pre>
  );
}

interface InspectorExchangeProps {
  part: 'request' | 'events' | 'headers';
  exchange: Exchange;
  events: readonly WireEvent[];
  /** Prefix of the file names. */
  name: string;
}

/** Shows one part of a record: the request, the events or the headers. */
export function InspectorExchange({ part, exchange, events, name }: InspectorExchangeProps) {
  const { requestBody } = exchange;
  const request = useMemo(
    () => (part === 'request' ? (toPrettyJson(requestBody) ?? requestBody) : ''),
    [part, requestBody],
  );
  if (part === 'request') {
    return (
      <>
        <InspectorTools
          what="request"
          fileName={`${name}-request.json`}
          mediaType="application/json"
          toText={() => requestBody}
        >
          <b className="font-mono font-semibold text-ink">
            {exchange.method} {exchange.path}
          </b>{' '}
          Shown with indentation. Copy and Download give it as it was sent.
        </InspectorTools>
        <InspectorRaw label="Request body" text={request} />
      </>
    );
  }
  if (part === 'headers') {
    const text = toHeaderText(exchange);
    return (
      <>
        <InspectorTools what="headers" fileName={`${name}-headers.txt`} mediaType="text/plain" toText={() => text}>
          Only headers that describe the answer. Cookies and credentials are never recorded.
        </InspectorTools>
        <InspectorRaw label="Headers" text={text} />
      </>
    );
  }
  const cut = exchange.cut ? `; ${formatCount(exchange.cut.characters)} characters in the middle are left out` : '';
  return (
    <>
      <InspectorTools
        what="response"
        fileName={`${name}-events.jsonl`}
        mediaType="application/jsonl"
        toText={() => toEventLines(events)}
      >
        {events.length === 0
          ? 'The response had no body.'
          : `Each event with the milliseconds since the request was sent. The chosen one is below, as received${cut}.`}
      </InspectorTools>
      {events.length > 0 && <InspectorEvents events={events} />}
    </>
  );
}
