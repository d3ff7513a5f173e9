// Which runs of the snapshot had the settings of a candidate.
import { useQuery } from '@tanstack/react-query';
import { createContext, useMemo } from 'react';
import type { ReadJob } from '#core/contract/jobReader.ts';
import type { TreeNode } from '#core/contract/projectReader.ts';
import type { FindKnownRuns } from '#features/experiments/shared/alreadyRun.ts';

export const RUNS_CODE = ['known-runs-code'] as const;

const none: FindKnownRuns = () => [];

/** For the candidates of a record. */
export const KnownRuns = createContext<FindKnownRuns>(none);

/** Finds none until the jobs and the code are there; the code is not part of the first view. */
export function useKnownRuns(snapshot: TreeNode, jobs: readonly ReadJob[]): FindKnownRuns {
  const { data: code } = useQuery({
    queryKey: RUNS_CODE,
    queryFn: () => import('#features/experiments/shared/alreadyRun.ts'),
    enabled: jobs.length > 0,
    staleTime: Infinity,
    structuralSharing: false,
  });
  return useMemo(() => (code ? code.openKnownRuns(snapshot, jobs) : none), [code, snapshot, jobs]);
}
