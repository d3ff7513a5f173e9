// The compared set that shows advice beside what was trained.
import type { TreeNode } from '#shared/contract/projectReader.ts';
import { toFitting } from './compareSet.ts';
import { toRunRef } from './runRefs.ts';

interface BesideRuns {
  /** The advice, then the runs as far as there is room. */
  readonly refs: readonly string[];
  /** How many of them are runs. */
  readonly runs: number;
}

/** Candidates of a snapshot's recommendation, by their keys, beside the experiments of its jobs. */
export function toBesideRuns(snapshot: TreeNode, keys: readonly string[]): BesideRuns {
  const advice = keys.map((key) => toRunRef({ kind: 'candidate', snapshot_id: snapshot.id, key }));
  const runs = snapshot.children
    .flatMap((job) => job.children)
    .map(({ id }) => toRunRef({ kind: 'experiment', experiment_id: id }));
  const { refs } = toFitting([], [...advice, ...runs]);
  return { refs, runs: Math.max(0, refs.length - advice.length) };
}
