// A project for this folder's tests: two datasets, each with a snapshot, a job and an experiment of the same name.
// It must not be used by the product.
import type { TreeNode } from '#core/contract/projectReader.ts';

export function toTestNode(
  type: string,
  id: string,
  label: string,
  children: readonly TreeNode[] = [],
  more: Partial<TreeNode> = {},
): TreeNode {
  return { id, type, label, children, metadata: {}, ...more };
}

const experiment = (id: string) =>
  toTestNode('experiment', id, 'Experiment 1', [], {
    status: 'succeeded',
    metadata: { base_model_id: 'b', model_id: `ft-${id}` },
  });
const branch = (number: number, name: string) =>
  toTestNode('dataset', `d${number}`, name, [
    toTestNode('snapshot', `s${number}`, 'Snapshot 1', [
      toTestNode('finetuning-job', `j${number}`, 'First round', [experiment(`e${number}`)]),
    ]),
  ]);

/** p > d1 Tickets > s1 > j1 > e1; d2 Orders > s2 > j2 > e2; e9 below no job. */
export const TEST_PROJECT: TreeNode = toTestNode('project', 'p', 'Desk', [
  branch(1, 'Tickets'),
  branch(2, 'Orders'),
  experiment('e9'),
]);
