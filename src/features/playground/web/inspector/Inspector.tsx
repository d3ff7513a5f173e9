import { useEffect, useMemo, useState } from 'react';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { Tabs } from '#ui/kit/Tabs.tsx';
import { recordIdOf, type Answer } from '#features/playground/web/desk/desk.ts';
import type { Exchange } from '#features/playground/web/storage/exchange.ts';
import { loadExchange } from '#features/playground/web/storage/exchangeSaver.ts';
import { InspectorExchange } from './InspectorExchange.tsx';
import { toWireEvents } from './wireEvents.ts';
import { toSummary, toSummaryText } from './exchangeSummary.ts';
import { InspectorTools } from './InspectorTools.tsx';

interface InspectorSummaryProps {
  answer: Answer;
  exchange: Exchange | null;
  eventCount: number;
  fileName: string;
  /** The text to show if there is no record. */
  missing: string;
}

function InspectorSummary({ answer, exchange, eventCount, fileName, missing }: InspectorSummaryProps) {
  const rows = toSummary(answer, exchange, eventCount);
  return (
    <>
      <InspectorTools what="summary" fileName={fileName} mediaType="text/plain" toText={() => toSummaryText(rows)}>
        {exchange ? 'What the service said, and what this browser measured.' : missing}
      </InspectorTools>
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1">
        {rows.map(({ label, value }) => (
          <div key={label} className="contents">
            <dt className="text-soft">{label}</dt>
            <dd className="[overflow-wrap:anywhere] tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

interface InspectorProps {
  answer: Answer;
  onClose: () => void;
}

interface ReadRecord {
  /** The phase of the answer when the record was read. */
  readonly phase: Answer['phase'];
  readonly exchange: Exchange | null;
}

const PARTS = ['request', 'events', 'headers'] as const;
const NO_RECORD =
  'There is no record of this request: it was never sent, was sent from another browser, or is older than the records.';

/** Shows the exact request and response of an answer, also of a failed or interrupted one. */
export function Inspector({ answer, onClose }: InspectorProps) {
  const [tab, setTab] = useState('summary');
  const [read, setRead] = useState<ReadRecord | null>(null);
  const recordId = recordIdOf(answer);
  const { phase } = answer;
  const exchange = read?.exchange ?? null;
  useEffect(() => {
    let isCurrent = true;
    // Reads the record again after each change of phase.
    void loadExchange(recordId).then((found) => isCurrent && setRead({ phase, exchange: found }));
    return () => {
      isCurrent = false;
    };
  }, [recordId, phase]);
  const events = useMemo(() => (exchange ? toWireEvents(exchange) : []), [exchange]);
  const name = `answer-${recordId.slice(0, 8)}`;
  const part = PARTS.find((each) => each === tab);
  return (
    <Dialog title="Inspect answer" isOpen onClose={onClose}>
      {read === null ? (
        <Skeleton rows={6} />
      ) : (
        <div className="-mx-4 -mt-3 min-h-[min(64vh,34rem)]">
          <Tabs
            label="Parts of the record"
            value={tab}
            onChange={setTab}
            tabs={[
              { value: 'summary', label: 'Summary' },
              { value: 'request', label: 'Request' },
              { value: 'events', label: 'Response events', count: events.length },
              { value: 'headers', label: 'Headers' },
            ]}
          >
            <div className="flex min-h-0 flex-col px-4 pt-1.5">
              {part === undefined && (
                <InspectorSummary
                  answer={answer}
                  exchange={exchange}
                  eventCount={events.length}
                  fileName={`${name}-summary.txt`}
                  missing={NO_RECORD}
                />
              )}
              {part !== undefined && exchange && (
                <InspectorExchange part={part} exchange={exchange} events={events} name={name} />
              )}
              {part !== undefined && !exchange && <p className="py-3 text-soft">{NO_RECORD}</p>}
            </div>
          </Tabs>
        </div>
      )}
    </Dialog>
  );
}
