import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Rows3 } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import type { TreeNode } from '#core/contract/projectReader.ts';
import type { RowsOf } from '#features/datasets/shared/contract/rows.ts';
import { toDataRefusal } from '#features/datasets/web/api/dataRefusal.ts';
import { findingsQuery, refreshRows, statisticsQuery } from '#features/datasets/web/api/rowQueries.ts';
import { isMissing, toErrorWords } from '#ui/client/failure.ts';
import { sessionQuery } from '#ui/client/queries.ts';
import { useSeenModel } from '#features/datasets/web/modelView/modelViewChoice.ts';
import { Button } from '#ui/kit/Button.tsx';
import { EmptyState } from '#ui/kit/EmptyState.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { DatasetProgress } from './DatasetProgress.tsx';
import { FindingsCard } from './FindingsCard.tsx';
import { RowActions } from './RowActions.tsx';
import { RowDialog } from './RowDialog.tsx';
import { NO_FILTER, toCountText } from './rowFilter.ts';
import { RowsDownload } from './RowsDownload.tsx';
import { RowsToolbar } from './RowsToolbar.tsx';
import { RowTable } from './RowTable.tsx';
import { StatisticsCard } from './StatisticsCard.tsx';
import { useRowFilter } from './useRowFilter.ts';
import { useRows, type Rows } from './useRows.ts';
import { useSelection } from './useSelection.ts';

/** The statistics and the findings of rows, and whether their tokens are counted. */
function useRowFigures(of: RowsOf) {
  const client = useQueryClient();
  const { model, context, isLoading } = useSeenModel();
  const { data: statistics } = useQuery({ ...statisticsQuery(of, { model, context }), enabled: !isLoading });
  const { data: found } = useQuery({ ...findingsQuery(of, model), enabled: !isLoading });
  const counted = statistics?.tokens?.error === null ? statistics.tokens.model : null;
  const isCounting = statistics?.state === 'running';
  useEffect(() => {
    // Rows that came before their tokens were counted, or counted again.
    if (counted !== null && !isCounting) void refreshRows(client, { kind: of.kind, id: of.id });
  }, [client, of.kind, of.id, counted, isCounting]);
  return { statistics, found, hasTokens: counted !== null };
}

interface OpenedPlace {
  readonly position: number;
  /** Its place in the table; null: not known. */
  readonly place: number | null;
}

interface OpenedRowProps {
  of: RowsOf;
  rows: Rows;
  value: OpenedPlace;
  onChange: (opened: OpenedPlace | null) => void;
}

/** The row that is open, with the ways to its neighbours in the table. */
function OpenedRow({ of, rows, value: { position, place: opened }, onChange }: OpenedRowProps) {
  const neighbour = (step: 1 | -1): (() => void) | null => {
    if (opened === null) return null;
    for (let place = opened + step; place >= 0 && place < rows.count; place += step) {
      const row = rows.rowAt(place);
      if (row === 'waiting') return null;
      if (row !== 'left-out') return () => onChange({ position: row.position, place });
    }
    return null;
  };
  return (
    <RowDialog
      of={of}
      position={position}
      onBefore={neighbour(-1)}
      onAfter={neighbour(1)}
      onGo={(next) => onChange({ position: next, place: null })}
      onClose={() => onChange(null)}
    />
  );
}

interface NoRowProps {
  rows: Rows;
  onShowAll: () => void;
}

function NoRow({ rows: { isSearching, total }, onShowAll }: NoRowProps) {
  return (
    <EmptyState
      title={isSearching ? 'Searching…' : total === 0 ? 'No rows yet' : 'No row is like that'}
      action={!isSearching && total !== 0 && <Button onClick={onShowAll}>Show all rows</Button>}
    />
  );
}

interface RowsViewProps {
  of: RowsOf;
  /** Rows of a snapshot, without those that were set aside; null: of a dataset, or not known. */
  size: number | null;
}

function RowsView({ of, size }: RowsViewProps) {
  const [filter, setFilter] = useRowFilter();
  const [range, setRange] = useState<readonly [number, number]>([0, 0]);
  const [opened, setOpened] = useState<OpenedPlace | null>(null);
  const selection = useSelection(of, filter);
  const rows = useRows(of, filter, range);
  const { statistics, found, hasTokens } = useRowFigures(of);
  const isOwn = of.kind === 'dataset';
  const onRange = useCallback((from: number, to: number) => setRange([from, to]), []);
  const open = (place: number) => {
    const row = rows.rowAt(place);
    if (typeof row !== 'string') setOpened({ position: row.position, place });
  };
  if (rows.error && isMissing(rows.error) && rows.total === null)
    return (
      <EmptyState icon={<Rows3 aria-hidden size={20} />} title="No rows here">
        This studio has no rows for it. It may have been made before rows were kept, or in another studio.
      </EmptyState>
    );
  return (
    <div className="@container flex min-h-[32rem] flex-1 flex-col gap-3.5">
      <div className="grid gap-3.5 @2xl:grid-cols-2">
        <StatisticsCard of={of} />
        <FindingsCard
          of={of}
          value={filter.finding}
          onChange={(kind) => setFilter({ ...filter, finding: kind ?? '' })}
        />
      </div>
      <section
        aria-label="Rows"
        className="flex min-h-80 min-w-0 flex-1 flex-col overflow-hidden rounded-[10px] border border-line bg-surface"
      >
        <RowsToolbar
          value={filter}
          onChange={setFilter}
          tags={statistics?.tags.map(({ name }) => name) ?? []}
          hasSides={!isOwn}
          hasMarks={isOwn}
          countText={toCountText(filter, rows, { size, aside: isOwn ? (statistics?.set_aside_count ?? 0) : 0 })}
        >
          {isOwn && <RowActions of={of} filter={filter} rows={rows} selection={selection} found={found} />}
          {rows.count > 0 && <RowsDownload of={of} filter={filter} />}
        </RowsToolbar>
        {rows.error && (
          <div className="p-3">
            <ErrorNotice title="Rows are missing" {...toErrorWords(rows.error)} onRetry={rows.onRetry} />
          </div>
        )}
        {rows.total === null && !rows.error ? (
          <Skeleton rows={8} className="p-4" />
        ) : rows.count === 0 && rows.total !== null ? (
          <NoRow rows={rows} onShowAll={() => setFilter(NO_FILTER)} />
        ) : (
          <RowTable
            key={JSON.stringify(filter)}
            rows={rows}
            hasSides={!isOwn}
            hasTokens={hasTokens}
            isSelectable={isOwn}
            selected={selection.selected}
            onToggle={selection.toggle}
            onAdd={selection.add}
            onOpen={open}
            onGo={(position) => setOpened({ position, place: null })}
            onRange={onRange}
          />
        )}
      </section>
      {opened && <OpenedRow of={of} rows={rows} value={opened} onChange={setOpened} />}
    </div>
  );
}

interface DataPanelProps {
  /** From the project to a dataset or snapshot. */
  path: readonly TreeNode[];
}

/** The rows of a dataset or snapshot, looked at before they cost money. */
export function DataPanel({ path }: DataPanelProps) {
  const { data: session } = useQuery(sessionQuery());
  const refusal = toDataRefusal(session, 'Look at the rows');
  const node = path.findLast(({ type }) => type === 'snapshot' || type === 'dataset');
  if (node?.type === 'dataset' && (node.status === 'processing' || node.status === 'failed'))
    return <DatasetProgress key={node.id} datasetId={node.id} />;
  if (refusal !== null)
    return (
      <EmptyState icon={<Rows3 aria-hidden size={20} />} title="The rows are elsewhere">
        {refusal}
      </EmptyState>
    );
  if (!node)
    return (
      <EmptyState icon={<Rows3 aria-hidden size={20} />} title="Rows belong to a dataset">
        Select a dataset or a snapshot in the project tree.
      </EmptyState>
    );
  const kind = node.type === 'snapshot' ? 'snapshot' : 'dataset';
  const { training_count: training, validation_count: validation } = node.metadata;
  const isCounted = kind === 'snapshot' && typeof training === 'number' && typeof validation === 'number';
  return <RowsView key={node.id} of={{ kind, id: node.id }} size={isCounted ? training + validation : null} />;
}
