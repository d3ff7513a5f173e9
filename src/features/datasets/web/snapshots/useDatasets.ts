// The datasets of the project on screen, as the tree has them, and the selected node.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { projectQuery } from '#ui/client/queries.ts';
import { useUrlState } from '#ui/address/urlState.ts';
import { toDatasets, type DatasetNode } from './snapshotTree.ts';

export function useDatasets(): { readonly datasets: readonly DatasetNode[]; readonly selected: string | null } {
  const { project, node } = useUrlState();
  // It looks at what the tree keeps fresh, and starts no polling of its own.
  const { data } = useQuery({ ...projectQuery(project ?? ''), enabled: false });
  const datasets = useMemo(() => (data ? toDatasets(data) : []), [data]);
  return { datasets, selected: node };
}
