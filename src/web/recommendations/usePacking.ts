// What a batch of this studio's own trainer is in rows, measured on the snapshot's runs.
import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { jobQuery } from '#web/api/queries.ts';
import type { ReadJob } from '#shared/contract/jobReader.ts';
import type { TreeNode } from '#shared/contract/projectReader.ts';
import { numberOr } from '#shared/contract/reading.ts';
import type { Choices } from '#shared/training/candidates.ts';
import { PACKING_JOBS } from '#shared/training/packedBatch.ts';

export const PACKING_CODE = ['packing-code'] as const;

const toJobs = (results: readonly { readonly data: ReadJob | null | undefined }[]): readonly ReadJob[] =>
  results.flatMap(({ data }) => (data ? [data] : []));

const same = (choices: Choices): Choices => choices;

/** Adds to candidates what a packed batch is in rows; adds nothing until it is known, and where nothing is packed. */
export function usePacking(snapshot: TreeNode, isLocal: boolean): (choices: Choices) => Choices {
  const jobs = useQueries({
    queries: (isLocal ? snapshot.children.slice(0, PACKING_JOBS) : []).map(({ id }) => jobQuery(id)),
    combine: toJobs,
  });
  const rows = numberOr(snapshot.metadata['training_count'], null);
  // The code is not part of the first view.
  const { data: code } = useQuery({
    queryKey: PACKING_CODE,
    queryFn: () => import('#shared/training/packing.ts'),
    enabled: jobs.length > 0,
    staleTime: Infinity,
    structuralSharing: false,
  });
  return useMemo(() => {
    if (!code) return same;
    const packing = code.findPacking(jobs, rows);
    return (choices) => code.withPackedBatches(choices, packing);
  }, [code, jobs, rows]);
}
