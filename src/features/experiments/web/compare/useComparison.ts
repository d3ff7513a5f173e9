// Joins the refs of the address with the answers of the service.
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { isMissing } from '#ui/client/failure.ts';
import { toPolledIds } from '#ui/client/pollCap.ts';
import { jobInterval } from '#ui/client/polling.ts';
import { jobQuery, recommendationQuery, sessionQuery } from '#ui/client/queries.ts';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { numberOr } from '#core/contract/readJson.ts';
import { isSettledRecommendation } from '#core/contract/statuses.ts';
import { findPacking } from '#features/experiments/shared/packing.ts';
import { parseRunRef } from '#ui/address/runRefs.ts';
import { toCompareColumns, type Answer, type CompareColumn } from './compareColumns.ts';
import { findCompared } from './findCompared.ts';

interface Result<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
}

const toAnswers = <T>(results: readonly Result<T>[]): readonly Answer<T>[] =>
  results.map(({ data, error }) => ({ data, error, isMissing: error !== null && isMissing(error) }));

const toMap = <T>(ids: readonly string[], answers: readonly Answer<T>[]): ReadonlyMap<string, Answer<T>> =>
  new Map(ids.flatMap((id, index) => (answers[index] ? [[id, answers[index]] as const] : [])));

/** Read for the packing of advice: one job with a whole run is enough, the next is there in case it has none. */
const PACKING_JOBS = 2;

const toPackingJobs = ({ children }: TreeNode): readonly string[] =>
  children.slice(0, PACKING_JOBS).map(({ id }) => id);

const ONCE = { refetchInterval: false, refetchOnWindowFocus: false } as const;

/**
 * The columns of the compared refs; reads each snapshot's recommendation and each job once. `here`: the snapshot that
 * the page shows.
 */
export function useComparison(
  project: TreeNode,
  refs: readonly string[],
  here: string | null,
): readonly CompareColumn[] {
  const { experiments, snapshots } = useMemo(() => {
    const parsed = refs.map(parseRunRef);
    return {
      experiments: new Set(parsed.flatMap((ref) => (ref?.kind === 'experiment' ? [ref.experiment_id] : []))),
      snapshots: [...new Set(parsed.flatMap((ref) => (ref?.kind === 'candidate' ? [ref.snapshot_id] : [])))],
    };
  }, [refs]);
  const found = useMemo(
    () => findCompared(project, experiments, new Set(snapshots)),
    [project, experiments, snapshots],
  );
  const isLocal = useQuery(sessionQuery()).data?.mode === 'local';
  const jobIds = useMemo(() => {
    const ofRuns = [...found.experiments.values()].flatMap(({ job }) => job?.id ?? []);
    // Only the local studio's trainer packs rows.
    const packed = isLocal ? [...found.snapshotNodes.values()].flatMap(toPackingJobs) : [];
    return [...new Set([...ofRuns, ...packed])];
  }, [found, isLocal]);
  // Each answer renders this again, so the next ones are polled once the first have settled.
  const client = useQueryClient();
  const polledRecords = toPolledIds(
    snapshots,
    (id) => !isSettledRecommendation(client.getQueryData(recommendationQuery(id).queryKey)?.status),
  );
  const polledJobs = toPolledIds(
    jobIds,
    (id) => jobInterval({ data: client.getQueryData(jobQuery(id).queryKey), error: null, failures: 0 }) !== false,
  );
  const records = useQueries({
    queries: snapshots.map((id) =>
      polledRecords.has(id) ? recommendationQuery(id) : { ...recommendationQuery(id), ...ONCE },
    ),
    combine: toAnswers,
  });
  const jobs = useQueries({
    queries: jobIds.map((id) => (polledJobs.has(id) ? jobQuery(id) : { ...jobQuery(id), ...ONCE })),
    combine: toAnswers,
  });
  return useMemo(() => {
    const byJob = toMap(jobIds, jobs);
    const toPacking = (snapshot: TreeNode) =>
      findPacking(
        toPackingJobs(snapshot).flatMap((id) => byJob.get(id)?.data ?? []),
        numberOr(snapshot.metadata['training_count'], null),
      );
    return toCompareColumns(refs, {
      found,
      records: toMap(snapshots, records),
      jobs: byJob,
      packing: new Map(isLocal ? [...found.snapshotNodes].map(([id, node]) => [id, toPacking(node)]) : []),
      here,
    });
  }, [refs, found, snapshots, records, jobIds, jobs, isLocal, here]);
}
