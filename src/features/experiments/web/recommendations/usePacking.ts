// What a batch of this studio's own trainer is in rows, measured on the snapshot's runs.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ReadJob } from '#core/contract/jobReader.ts';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { numberOr } from '#core/contract/readJson.ts';
import type { Choices } from '#features/experiments/shared/candidates.ts';

export const PACKING_CODE = ['packing-code'] as const;

const same = (choices: Choices): Choices => choices;

/**
 * Adds to candidates what a packed batch is in rows; adds nothing until it is known, and where nothing is packed: only
 * the local studio's trainer packs.
 */
export function usePacking(
  snapshot: TreeNode,
  jobs: readonly ReadJob[],
  isLocal: boolean,
): (choices: Choices) => Choices {
  const rows = numberOr(snapshot.metadata['training_count'], null);
  // The code is not part of the first view.
  const { data: code } = useQuery({
    queryKey: PACKING_CODE,
    queryFn: () => import('#features/experiments/shared/packing.ts'),
    enabled: isLocal && jobs.length > 0,
    staleTime: Infinity,
    structuralSharing: false,
  });
  return useMemo(() => {
    if (!code || !isLocal) return same;
    const packing = code.findPacking(jobs, rows);
    return (choices) => code.withPackedBatches(choices, packing);
  }, [code, isLocal, jobs, rows]);
}
