import type { Answer } from '#features/playground/web/desk/desk.ts';
import type { Exchange } from '#features/playground/web/storage/exchange.ts';
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

export function InspectorSummary({ answer, exchange, eventCount, fileName, missing }: InspectorSummaryProps) {
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
