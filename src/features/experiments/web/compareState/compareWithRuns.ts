// The compared set that shows what was trained beside advice.
import type { TreeNode } from '#core/contract/projectReader.ts';
import { toFitting } from './compareSet.ts';
import { toRunRef } from '#ui/address/runRefs.ts';

interface BesideRuns {
  /** The runs as far as there is room, then the advice. */
  readonly refs: readonly string[];
  /** How many of them are runs. */
  readonly runs: number;
}

/** The experiments of a snapshot's jobs beside candidates of its recommendation, by their keys. */
export function toBesideRuns(snapshot: TreeNode, keys: readonly string[]): BesideRuns {
  const advice = keys.map((key) => toRunRef({ kind: 'candidate', snapshot_id: snapshot.id, key }));
  const runs = snapshot.children
    .flatMap((job) => job.children)
    .map(({ id }) => toRunRef({ kind: 'experiment', experiment_id: id }));
  const { refs } = toFitting(advice, runs);
  return { refs: [...refs, ...advice], runs: refs.length };
}
