import { RefreshCw } from 'lucide-react';
import type { ReadRecommendation } from '#core/contract/recommendationReader.ts';
import { isKnownStatus } from '#core/contract/statuses.ts';
import type { ReactNode } from 'react';
import { Button } from '#ui/kit/Button.tsx';
import { formatCounted, formatClock } from '#ui/kit/format.ts';
import { StatusBadge } from '#ui/kit/StatusBadge.tsx';
import { toExtraParameters } from '#features/experiments/shared/extraParameters.ts';
import { ExtraFields } from './ExtraFields.tsx';

interface RecordHeaderProps {
  record: ReadRecommendation;
  /** When the service last answered, ms since 1970. */
  answeredAt: number;
  isStale: boolean;
  onCheck: () => void;
  /** Asks for another one. */
  ask: ReactNode;
}

/** One line: the record's status, its counts, and how fresh it is. */
export function RecordHeader({ record, answeredAt, isStale, onCheck, ask }: RecordHeaderProps) {
  const { recommended_models, recommended_experiments } = record;
  const models = formatCounted(recommended_models.length, 'base model');
  const experiments = formatCounted(recommended_experiments.length, 'proposed run');
  return (
    <div
      className={
        'flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 rounded-[10px] border border-line bg-surface px-3 ' +
        'py-2'
      }
    >
      <StatusBadge status={record.status} />
      <span className="min-w-40 flex-1 text-soft">
        {recommended_models.length + recommended_experiments.length > 0 && `${models} · ${experiments} · `}
        <span className="whitespace-nowrap">
          {isStale ? 'stale since' : 'as of'} {formatClock(answeredAt)}
        </span>
      </span>
      <Button variant="quiet" size="small" className="ml-auto print:hidden" onClick={onCheck}>
        <RefreshCw aria-hidden size={12} />
        Check again
      </Button>
      {ask}
      {!isKnownStatus(record.status) && (
        <p className="w-full text-soft">
          The service sent the status “{record.status}”, which this dashboard does not know. Use Check again to see
          whether it changes.
        </p>
      )}
      <div className="w-full text-sm text-soft empty:hidden">
        <ExtraFields extras={toExtraParameters(record.extra)} />
      </div>
    </div>
  );
}
