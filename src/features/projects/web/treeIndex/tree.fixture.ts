// A project with each kind of node for this folder's tests, and the hits of a filter.
import type { TreeNode } from '#core/contract/projectReader.ts';
import { findText, parseWords, toHits, type TreeHits } from './treeFilter.ts';
import type { TreeIndex } from './treeIndex.ts';

interface Parts {
  readonly status?: string;
  readonly metadata?: Record<string, unknown>;
  readonly children?: readonly TreeNode[];
}

/** A node whose id is its name. */
export function toTestNode(type: string, id: string, label: string, parts: Parts = {}): TreeNode {
  return { id, type, label, status: parts.status, children: parts.children ?? [], metadata: parts.metadata ?? {} };
}

const experiment = (id: string, status: string, model?: string) =>
  toTestNode('experiment', id, `Experiment ${id}`, {
    status,
    metadata: { base_model_id: 'qwen3-0.6b', model_id: model },
  });

/**
 * p > d1 > s1 > j1 > e1 succeeded, e2 failed, e3 running, e4 deleted
 *   > d2 > s2 > j2 > e5 queued, e6 paused (unknown)
 *   > d3 (processing, empty)
 */
export const TEST_TREE: TreeNode = {
  id: 'p',
  type: 'project',
  name: 'Support desk',
  metadata: {},
  children: [
    toTestNode('dataset', 'd1', 'Ticket triage', {
      status: 'completed',
      children: [
        toTestNode('snapshot', 's1', 'Snapshot 1', {
          children: [
            toTestNode('finetuning-job', 'j1', 'First round', {
              status: 'completed',
              children: [
                experiment('e1', 'succeeded', 'ft-qwen-e1'),
                experiment('e2', 'failed'),
                experiment('e3', 'running'),
                experiment('e4', 'deleted'),
              ],
            }),
          ],
        }),
      ],
    }),
    toTestNode('dataset', 'd2', 'Order tools', {
      status: 'completed',
      children: [
        toTestNode('snapshot', 's2', 'Snapshot 2', {
          children: [
            toTestNode('finetuning-job', 'j2', 'Tools', {
              status: 'processing',
              children: [experiment('e5', 'queued'), experiment('e6', 'paused')],
            }),
          ],
        }),
      ],
    }),
    toTestNode('dataset', 'd3', 'Escalations', { status: 'processing' }),
  ],
};

/** null: nothing is filtered, as there are no words and no statuses. */
export function findHits(index: TreeIndex, text: string, statuses: readonly string[] = []): TreeHits | null {
  const words = parseWords(text);
  return toHits(index, words, findText(index, words), statuses);
}
