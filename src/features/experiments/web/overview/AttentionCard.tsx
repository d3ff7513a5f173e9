import { useState } from 'react';
import { useIsRate } from '#features/experiments/web/compareState/rateChoice.ts';
import { Button } from '#ui/kit/Button.tsx';
import { formatCounted } from '#ui/kit/format.ts';
import { StatusBadge } from '#ui/kit/StatusBadge.tsx';
import { WholeNumbers } from '#ui/kit/WholeNumbers.tsx';
import { selectNode } from '#ui/address/nodeTab.ts';
import type { ExperimentRow } from '#features/experiments/web/rows/experimentRows.ts';
import { toAttentionCounts, toAttentionText, type AttentionItem, type AttentionKind } from './attention.ts';
import { Card } from '#ui/kit/Card.tsx';

interface AttentionCardProps {
  items: readonly AttentionItem[];
  rows: readonly ExperimentRow[];
}

/** More are a press away: the best runs below must stay near. */
const FIRST = 5;
const MOST = 200;

const ACTIONS: Readonly<Record<AttentionKind, string>> = {
  bad: 'See why',
  ended: 'See why',
  working: 'Watch',
  waiting: 'Open',
};

function Item({ row, kind, text }: AttentionItem & { text: string | null }) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line px-3 py-2 last:border-b-0">
      <StatusBadge status={row.status ?? 'unknown'} cause={row.status_cause} />
      <div className="min-w-0 flex-1 basis-60">
        <p className="truncate" title={row.label}>
          <span className="font-medium">{row.label}</span>{' '}
          <span className="text-soft">{[row.dataset, row.job].filter((part) => part !== null).join(' › ')}</span>
        </p>
        {text !== null && (
          <p className="text-sm text-pretty text-soft">
            <WholeNumbers text={text} />
          </p>
        )}
      </div>
      <Button
        size="small"
        aria-label={`${ACTIONS[kind]}: ${row.label}`}
        onClick={() => selectNode({ id: row.id, type: 'experiment' })}
      >
        {ACTIONS[kind]}
      </Button>
    </li>
  );
}

/** Runs that failed, stopped, run or wait. Says so when there are none. */
export function AttentionCard({ items, rows }: AttentionCardProps) {
  const [shown, setShown] = useState(FIRST);
  const isAbsolute = useIsRate();
  const more = items.length - shown;
  const note = toAttentionCounts(items);
  if (note === '') return <Card title="Needs attention" note="Nothing. No run has failed, is running or is queued." />;
  return (
    <Card title="Needs attention" note={note}>
      <ul>
        {items.slice(0, shown).map((item) => (
          <Item key={item.row.id} {...item} text={toAttentionText(item, rows, isAbsolute)} />
        ))}
      </ul>
      {more > 0 && (
        <p className="border-t border-line px-3 py-1.5 text-sm text-soft">
          {shown < MOST ? (
            <Button size="small" variant="quiet" onClick={() => setShown(MOST)}>
              Show {formatCounted(Math.min(more, MOST - shown), 'more run')}
            </Button>
          ) : (
            `${formatCounted(more, 'more run')}: filter the tree by status to see them.`
          )}
        </p>
      )}
    </Card>
  );
}
