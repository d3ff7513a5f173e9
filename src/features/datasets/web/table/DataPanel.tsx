import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Rows3 } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import type { Finding, RowsOf } from '#features/datasets/shared/contract/rows.ts';
import { toDataRefusal } from '#features/datasets/web/api/dataRefusal.ts';
import {
  findingsQuery,
  isByFinding,
  readPositions,
  refreshRows,
  statisticsQuery,
  type RowFilter,
} from '#features/datasets/web/api/rowQueries.ts';
import { isMissing, toErrorWords } from '#ui/client/failure.ts';
import { sessionQuery } from '#ui/client/queries.ts';
import { useSeenModel } from '#features/datasets/web/modelView/modelViewChoice.ts';
import { Button } from '#ui/kit/Button.tsx';
import { EmptyState } from '#ui/kit/EmptyState.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { formatCount } from '#ui/kit/format.ts';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { CompareAnswers } from './CompareAnswers.tsx';
import { FindingsCard } from './FindingsCard.tsx';
import { RowDialog } from './RowDialog.tsx';
import { isFiltered, NO_FILTER, toAsideText, toCountText, toSelectAllText } from './rowFilter.ts';
import { cleanRows, setAside } from './rowEditActions.ts';
import { TagForm } from './TagForm.tsx';
import { RowsDownload } from './RowsDownload.tsx';
import { RowsToolbar } from './RowsToolbar.tsx';
import { RowTable } from './RowTable.tsx';
import { StatisticsCard } from './StatisticsCard.tsx';
import { useRows } from './useRows.ts';
import { useSelection } from './useSelection.ts';
import type { JsonObject } from '#core/contract/readJson.ts';
import { addRow, refreshTrees } from '#features/datasets/web/api/dataChanges.ts';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { showToast } from '#ui/kit/toast.ts';
import { EditForm } from './EditForm.tsx';

const EMPTY_ROW: JsonObject = {
  messages: [
    { role: 'user', content: '' },
    { role: 'assistant', content: '' },
  ],
};

/** Adds one row to a dataset: written as JSON, and checked before it is sent. */
function AddRow({ datasetId }: { datasetId: string }) {
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const close = () => {
    setOpen(false);
    setError(null);
  };
  const save = async (row: JsonObject): Promise<boolean> => {
    setError(null);
    try {
      await addRow(datasetId, row);
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)));
      return false;
    }
    showToast(
      'Added the row, as the last one. Snapshots that are there stay as they are: make a new one to train on it.',
    );
    await Promise.all([refreshRows(client, { kind: 'dataset', id: datasetId }), refreshTrees(client)]);
    return true;
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>Add a row</Button>
      {isOpen && (
        <Dialog title="Add a row" isOpen onClose={close}>
          {error && <ErrorNotice title="The row was not added" {...toErrorWords(error)} />}
          <EditForm datasetId={datasetId} position={null} row={EMPTY_ROW} onSave={save} onClose={close} />
        </Dialog>
      )}
    </>
  );
}

interface RowsViewProps {
  of: RowsOf;
  /** Rows of a snapshot, without those that were set aside; null: of a dataset, or not known. */
  size: number | null;
}

/** The rows of each question with several answers, of a finding; of those against a majority with the majority. */
function toCompared(finding: Finding | undefined, all: readonly Finding[]): readonly (readonly number[])[] {
  if (finding?.kind === 'contradiction' || finding?.kind === 'several-answers') return finding.groups;
  if (finding?.kind !== 'outvoted') return [];
  const outvoted = new Set(finding.groups.flat());
  const groups = all.find(({ kind }) => kind === 'contradiction')?.groups ?? [];
  return groups.filter((group) => group.some((position) => outvoted.has(position)));
}

function RowsView({ of, size }: RowsViewProps) {
  const client = useQueryClient();
  const [filter, setFilter] = useState<RowFilter>(NO_FILTER);
  const [range, setRange] = useState<readonly [number, number]>([0, 0]);
  const { selected, isReading, toggle, add, addAll, clear } = useSelection(of, filter);
  const [opened, setOpened] = useState<{ readonly position: number; readonly place: number | null } | null>(null);
  const [compared, setCompared] = useState<readonly (readonly number[])[] | null>(null);
  const rows = useRows(of, filter, range);
  const { model, context, isLoading } = useSeenModel();
  const { data: statistics } = useQuery({ ...statisticsQuery(of, { model, context }), enabled: !isLoading });
  const { data: found } = useQuery({ ...findingsQuery(of, model), enabled: !isLoading });
  const counted = statistics?.tokens?.error === null ? statistics.tokens.model : null;
  const isCounting = statistics?.state === 'running';
  useEffect(() => {
    // Rows that came before their tokens were counted, or counted again.
    if (counted !== null && !isCounting) void refreshRows(client, { kind: of.kind, id: of.id });
  }, [client, of.kind, of.id, counted, isCounting]);
  const isOwn = of.kind === 'dataset';
  const hasSides = !isOwn;
  const onRange = useCallback((from: number, to: number) => setRange([from, to]), []);
  const open = (place: number) => {
    const row = rows.rowAt(place);
    if (typeof row !== 'string') setOpened({ position: row.position, place });
  };
  const neighbour = (step: 1 | -1): (() => void) | null => {
    if (opened?.place == null) return null;
    for (let place = opened.place + step; place >= 0 && place < rows.count; place += step) {
      const row = rows.rowAt(place);
      if (row === 'waiting') return null;
      if (row !== 'left-out') return () => setOpened({ position: row.position, place });
    }
    return null;
  };
  const target = { client, datasetId: of.id };
  const finding = found?.findings.find(({ kind }) => kind === filter.finding);
  const comparable = toCompared(finding, found?.findings ?? []);
  const isChecking = isByFinding(filter) && found?.state !== 'done';
  const waiting = isChecking ? 'The rows are being checked.' : isReading ? 'The rows are being read.' : null;
  const positions = [...selected].sort((a, b) => a - b);
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
          hasSides={hasSides}
          hasMarks={isOwn}
          countText={toCountText(filter, rows, { size, aside: isOwn ? (statistics?.set_aside_count ?? 0) : 0 })}
        >
          {isOwn && positions.length > 0 && (
            <>
              <Button onClick={() => void setAside(target, positions, true)}>
                Set {formatCount(positions.length)} aside
              </Button>
              <Button onClick={() => void setAside(target, positions, false)}>Put back</Button>
              <TagForm label="Tag for the chosen rows" target={target} positions={positions} />
              <Button variant="quiet" onClick={clear}>
                Select none
              </Button>
            </>
          )}
          {isOwn && positions.length === 0 && finding && finding.removable.length > 0 && (
            <Button
              title={
                finding.removable.length < finding.count
                  ? `One row of each group stays. At most ${formatCount(DATA_LIMITS.marks)} rows are marked at a time.`
                  : 'One row of each group stays.'
              }
              onClick={() => void setAside(target, finding.removable, true)}
            >
              {toAsideText(finding.removable.length, finding.count)}
            </Button>
          )}
          {isOwn && positions.length === 0 && comparable.length > 0 && (
            <Button onClick={() => setCompared(comparable)}>Compare the answers</Button>
          )}
          {isOwn && positions.length === 0 && finding?.kind === 'null-arguments' && (
            <Button
              disabledReason={waiting}
              onClick={() =>
                void readPositions(of, filter, DATA_LIMITS.marks).then((found) => cleanRows(target, found))
              }
            >
              Remove these nulls
            </Button>
          )}
          {isOwn && positions.length === 0 && rows.count > 0 && isFiltered(filter) && (
            <Button disabledReason={waiting} onClick={addAll}>
              {toSelectAllText(rows.found)}
            </Button>
          )}
          {isOwn && positions.length === 0 && <AddRow datasetId={of.id} />}
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
          <EmptyState
            title={rows.isSearching ? 'Searching…' : rows.total === 0 ? 'No rows yet' : 'No row is like that'}
            action={
              !rows.isSearching && rows.total > 0 && <Button onClick={() => setFilter(NO_FILTER)}>Show all rows</Button>
            }
          />
        ) : (
          <RowTable
            key={JSON.stringify(filter)}
            rows={rows}
            hasSides={hasSides}
            hasTokens={counted !== null}
            isSelectable={isOwn}
            selected={selected}
            onToggle={toggle}
            onAdd={add}
            onOpen={open}
            onGo={(position) => setOpened({ position, place: null })}
            onRange={onRange}
          />
        )}
      </section>
      {compared && <CompareAnswers datasetId={of.id} groups={compared} onClose={() => setCompared(null)} />}
      {opened && (
        <RowDialog
          of={of}
          position={opened.position}
          onBefore={neighbour(-1)}
          onAfter={neighbour(1)}
          onGo={(position) => setOpened({ position, place: null })}
          onClose={() => setOpened(null)}
        />
      )}
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
