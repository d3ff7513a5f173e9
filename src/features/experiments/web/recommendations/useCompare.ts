// Which candidates of one snapshot are compared. The address holds the set; a click changes it.
import { useMemo } from 'react';
import { toToggled } from '#features/experiments/web/compareState/compareSet.ts';
import { toRunRef } from '#ui/address/runRefs.ts';
import { readUrl, updateUrl, useUrlState } from '#ui/address/urlState.ts';
import type { CompareControl } from './listControl.ts';

export function useCompare(snapshotId: string): CompareControl {
  const { compare } = useUrlState();
  return useMemo(() => {
    const toRef = (key: string): string => toRunRef({ kind: 'candidate', snapshot_id: snapshotId, key });
    const series = new Map(compare.map((ref, index) => [ref, index]));
    return {
      seriesOf: (key) => series.get(toRef(key)) ?? null,
      onToggle: (key) => updateUrl(toToggled(readUrl(), toRef(key)), { replace: true }),
    };
  }, [snapshotId, compare]);
}
