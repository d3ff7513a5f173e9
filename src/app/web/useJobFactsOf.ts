// Job facts of the experiments below a node, for its menu. Requests the node's own job if the tree leaves something
// out; for other jobs it uses what is already cached.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { jobQuery, projectQuery } from '#ui/client/queries.ts';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { findJobFacts, isJobNeeded, type JobFactsOf } from '#features/experiments/web/rows/experimentFacts.ts';
import { toSources } from '#features/experiments/web/rows/experimentRows.ts';
import { useUrlState } from '#ui/address/urlState.ts';
import { findPath } from '#features/projects/web/treeIndex/selection.ts';
import { treeIndex } from '#features/projects/web/treeIndex/treeIndex.ts';

export function useJobFactsOf(node: TreeNode): JobFactsOf {
  const client = useQueryClient();
  const { project } = useUrlState();
  const tree = client.getQueryData(projectQuery(project ?? '').queryKey);
  const sources = useMemo(() => toSources((tree && findPath(treeIndex(tree), node.id)) ?? []), [tree, node]);
  const jobs = useMemo(() => new Map(sources.map(({ node: experiment, job }) => [experiment.id, job?.id])), [sources]);
  const isOwn = node.type === 'experiment' || node.type === 'finetuning-job';
  const own = isOwn ? sources[0]?.job?.id : undefined;
  useQuery({
    ...jobQuery(own ?? ''),
    enabled: own !== undefined && sources.some((source) => isJobNeeded(source.node)),
  });
  return (experiment) => {
    const id = jobs.get(experiment.id);
    return id === undefined ? null : findJobFacts(client.getQueryData(jobQuery(id).queryKey) ?? null, experiment.id);
  };
}
