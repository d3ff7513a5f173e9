// The runs below a node with the facts of their jobs, as far as an overview needs them.
import { useMemo, useState } from 'react';
import type { TreeNode } from '#core/contract/projectReader.ts';
import type { JobAnswers } from '#features/experiments/web/rows/jobAnswers.ts';
import {
  toActiveJobIds,
  toJobIds,
  toRows,
  toSources,
  type ExperimentRow,
} from '#features/experiments/web/rows/experimentRows.ts';
import { MAX_READ_AT_ONCE, useJobAnswers } from '#features/experiments/web/useJobAnswers.ts';
import { mayNeedSomebody, toFirstJobs } from './attention.ts';

interface OverviewRows {
  readonly rows: readonly ExperimentRow[];
  readonly answers: JobAnswers;
  readonly jobCount: number;
  /** Not all jobs were requested: the best runs are those of a part. */
  readonly isDeferred: boolean;
  readonly onRequest: () => void;
  readonly onRetry: () => void;
  readonly onRequestAll: () => void;
}

/** `path`: from the project to the node. */
export function useOverviewRows(path: readonly TreeNode[]): OverviewRows {
  const [isRequested, setRequested] = useState(false);
  const sources = useMemo(() => toSources(path), [path]);
  const jobIds = useMemo(() => toJobIds(sources), [sources]);
  const activeIds = useMemo(() => toActiveJobIds(sources), [sources]);
  const isDeferred = jobIds.length > MAX_READ_AT_ONCE && !isRequested;
  const wanted = useMemo(
    () => (isDeferred ? toFirstJobs(sources, MAX_READ_AT_ONCE) : jobIds),
    [isDeferred, sources, jobIds],
  );
  const { answers, onRetry, onRequestAll } = useJobAnswers(wanted, activeIds);
  const read = useMemo(() => {
    if (!isDeferred) return sources;
    const ids = new Set(wanted);
    return sources.filter((source) => mayNeedSomebody(source) || (source.job !== null && ids.has(source.job.id)));
  }, [isDeferred, sources, wanted]);
  const rows = useMemo(() => toRows(read, answers.byId, answers.pending), [read, answers]);
  return {
    rows,
    answers,
    jobCount: jobIds.length,
    isDeferred,
    onRequest: () => setRequested(true),
    onRetry,
    onRequestAll,
  };
}
