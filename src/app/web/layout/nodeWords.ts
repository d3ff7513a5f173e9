// Words for a node: its kind, and the line of facts under its name. Pure.
import { isUnrecorded, type TreeNode } from '#core/contract/projectReader.ts';
import { formatCount } from '#ui/kit/format.ts';

/** The name of the selected node on the page: keys go on from it after the command palette. */
export const NODE_NAME_ID = 'node-name';

const KINDS: Readonly<Record<string, string>> = {
  project: 'Project',
  dataset: 'Dataset',
  snapshot: 'Snapshot',
  'finetuning-job': 'Fine-tuning job',
  experiment: 'Run',
};

/** "Fine-tuning job"; a type that SPEC doesn't name is shown as it is. */
export function toKind(node: TreeNode): string {
  if (isUnrecorded(node)) return 'Runs of unknown data';
  return Object.hasOwn(KINDS, node.type) ? (KINDS[node.type] ?? node.type) : node.type;
}

/** Fields with words of their own; all others appear in the Detail tab only. */
const WORDS: readonly (readonly [string, (value: unknown) => string | null])[] = [
  ['datapoints_count', (value) => (typeof value === 'number' ? `${formatCount(value)} rows` : null)],
  ['training_count', (value) => (typeof value === 'number' ? `${formatCount(value)} training` : null)],
  ['validation_count', (value) => (typeof value === 'number' ? `${formatCount(value)} validation` : null)],
  ['reasoning', (value) => (value === true ? 'trains on reasoning' : null)],
  ['experiment_number', (value) => (typeof value === 'number' ? `number ${value}` : null)],
  ['base_model_id', (value) => (typeof value === 'string' ? `from ${value}` : null)],
];

/** "2,200 training · 200 validation"; empty when there is nothing to say. */
export function toFacts(node: TreeNode): string {
  return WORDS.flatMap(([name, toWords]) => toWords(node.metadata[name]) ?? []).join(' · ');
}
