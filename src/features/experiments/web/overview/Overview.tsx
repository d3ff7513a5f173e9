import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { nodeLabel, type TreeNode } from '#core/contract/projectReader.ts';
import { rowsOfferQuery } from '#ui/client/queries.ts';
import { knownRootsQuery } from '#features/runs/web/api/runRootsQuery.ts';
import { toDatasetResults } from '#features/experiments/web/rows/datasetResults.ts';
import { runCommand } from '#ui/commands/commands.ts';
import { Button } from '#ui/kit/Button.tsx';
import { EmptyState } from '#ui/kit/EmptyState.tsx';
import { FeatureBoundary } from '#ui/kit/FeatureBoundary.tsx';
import { formatCount } from '#ui/kit/format.ts';
import { toLazyPart } from '#ui/lazy/lazyPart.ts';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { toAttention } from './attention.ts';
import { AttentionCard } from './AttentionCard.tsx';
import { BestRuns } from './BestRuns.tsx';
import { toLatestSnapshots } from './latestSnapshots.ts';
import type { RenderExport } from './renderExport.ts';
import { NothingLeft } from './NothingLeft.tsx';
import { TrainNext } from './TrainNext.tsx';
import { useOverviewRows } from './useOverviewRows.ts';

// Only where hyperparameters are missing.
const JobsNotice = toLazyPart(
  'The notice',
  async () => (await import('#features/experiments/web/JobsNotice.tsx')).JobsNotice,
);

// After the results that it chooses between.
const MeasureChoice = toLazyPart(
  'The choice of a measure',
  async () => (await import('./MeasureChoice.tsx')).MeasureChoice,
);

const EmptyFolder = toLazyPart('The folder', async () => (await import('./EmptyFolder.tsx')).EmptyFolder);

interface OverviewProps {
  /** From the project to a project, dataset or snapshot. */
  path: readonly TreeNode[];
  /** What changed since the last visit; null: not known. */
  since: ReactNode;
  /** Opens models in the playground, one pane each. */
  onTry: (models: readonly string[]) => void;
  /** Opens models in the playground with the validation rows of a snapshot. */
  onCheck: (models: readonly string[], snapshotId: string) => void;
  renderExport: RenderExport;
}

/** Each is a request that may start a computation. */
const MAX_ADVISED = 6;

/** What needs a person, what is best, what to train next, and what is new. */
export function Overview({ path, since, onTry, onCheck, renderExport }: OverviewProps) {
  const { rows, answers, jobCount, isDeferred, onRequest, onRetry, onRequestAll } = useOverviewRows(path);
  const attention = useMemo(() => toAttention(rows), [rows]);
  const results = useMemo(() => toDatasetResults(rows), [rows]);
  const latest = useMemo(() => toLatestSnapshots(path), [path]);
  // A snapshot that nothing was measured on yet may be harder than the one before.
  const finished = results.filter(
    ({ isSaturated, best }) => isSaturated && latest.some(({ snapshot }) => snapshot.id === best?.snapshot_id),
  );
  const open = latest.filter(({ dataset }) => !finished.some(({ dataset_id }) => dataset_id === dataset.id));
  // A folder of runs has no rows. undefined: not known yet.
  const { data: roots } = useQuery(knownRootsQuery());
  const folder = roots?.find(({ id }) => id === path[0]?.id);
  const isFolder = roots === undefined ? undefined : folder !== undefined;
  // One snapshot stands for all: a service gives the rows of each, or of none.
  const measured = results.find(({ best }) => best !== null)?.best?.snapshot_id ?? '';
  const offer = useQuery(rowsOfferQuery(isFolder === false ? measured : ''));
  const node = path.at(-1);
  const hasDataset = node?.type === 'dataset' || node?.children.some(({ type }) => type === 'dataset') === true;
  if (rows.length === 0 && latest.length === 0) {
    if (isFolder === undefined) return <Skeleton rows={3} />;
    if (folder)
      return (
        <FeatureBoundary name="The folder" fallback={<Skeleton rows={3} />}>
          <EmptyFolder id={folder.id} />
        </FeatureBoundary>
      );
    return (
      <EmptyState
        title={`${hasDataset ? 'No snapshot' : 'Nothing'} in ${node ? nodeLabel(node) : 'this project'} yet`}
        action={
          hasDataset ? (
            <Button onClick={() => runCommand('new-snapshot')}>New snapshot</Button>
          ) : (
            <Button onClick={() => runCommand('add-data')}>Dataset from a file</Button>
          )
        }
      >
        {hasDataset
          ? 'A snapshot freezes the rows of a dataset, split for training and validation. Recommendations and runs need one.'
          : 'First create a dataset with rows, then a snapshot of it. Recommendations and runs need a snapshot.'}
      </EmptyState>
    );
  }
  return (
    <div className="@container flex flex-col gap-3.5">
      {rows.length > 0 ? (
        <>
          <AttentionCard items={attention} rows={rows} />
          <BestRuns
            results={results}
            onTry={onTry}
            onCheck={offer.data === true ? onCheck : null}
            isCheckPending={isFolder !== true && offer.isPending}
            choice={
              isFolder !== undefined &&
              (isFolder || results.length === 1) && (
                <FeatureBoundary name="The choice of a measure" fallback={null}>
                  <MeasureChoice results={results} rootId={isFolder ? (path[0]?.id ?? null) : null} />
                </FeatureBoundary>
              )
            }
          />
          {(isDeferred || answers.isHidden || answers.failed > 0) && (
            <FeatureBoundary name="The notice" fallback={null}>
              <JobsNotice
                answers={answers}
                jobCount={jobCount}
                isDeferred={isDeferred}
                onRequest={onRequest}
                onRetry={onRetry}
                onRequestAll={onRequestAll}
              />
            </FeatureBoundary>
          )}
        </>
      ) : (
        <p className="text-soft">Nothing has been trained yet. Start with what is recommended:</p>
      )}
      {open.length > 0 && !answers.pending.size && (
        <div className={open.length > 1 ? 'grid gap-3.5 @3xl:grid-cols-2' : ''}>
          {open.slice(0, MAX_ADVISED).map(({ dataset, snapshot }, place) => (
            <FeatureBoundary key={snapshot.id} name="What to train next" fallback={<Skeleton rows={3} />}>
              <TrainNext
                place={place}
                project={path[0]?.id ?? ''}
                dataset={dataset}
                snapshot={snapshot}
                renderExport={renderExport}
              />
            </FeatureBoundary>
          ))}
        </div>
      )}
      {open.length > MAX_ADVISED && isFolder === false && (
        <p className="text-sm text-soft">
          {formatCount(open.length - MAX_ADVISED)} more datasets: select one to see what to train next on it.
        </p>
      )}
      {finished.length > 0 && (
        <FeatureBoundary name="The notice" fallback={<Skeleton rows={2} />}>
          <NothingLeft results={finished} />
        </FeatureBoundary>
      )}
      {since}
    </div>
  );
}
