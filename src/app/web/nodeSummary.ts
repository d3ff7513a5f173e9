// What the Detail tab says of a node above its fields. Pure.
import { isUnrecorded, type TreeNode } from '#core/contract/projectReader.ts';
import { numberOr, isObject } from '#core/contract/readJson.ts';
import { ROLL_UP_WORDS, type RollUp } from '#features/projects/web/treeIndex/treeIndex.ts';
import { formatCount } from '#ui/kit/format.ts';
import { toKind } from '#app/web/layout/nodeWords.ts';

interface SummaryLine {
  readonly label: string;
  readonly text: string;
}

const COUNTS = [
  ['datapoints_count', 'Rows'],
  ['training_count', 'Training rows'],
  ['validation_count', 'Validation rows'],
] as const;

const UNKNOWN_DATA: SummaryLine = {
  label: 'Data',
  text: 'No trainer wrote down on what these runs were trained. It may be different data.',
};

const PARTS = ['succeeded', 'active', 'failed', 'other'] as const satisfies readonly (keyof RollUp)[];

/** Lines without a value are left out; a node without runs below says so. */
export function toNodeSummary(node: TreeNode, rollUp: RollUp): readonly SummaryLine[] {
  const counts = COUNTS.flatMap(([name, label]) => {
    const count = numberOr(node.metadata[name], null);
    return count === null ? [] : [{ label, text: formatCount(count) }];
  });
  const runs = PARTS.flatMap((part) =>
    rollUp[part] > 0 ? [`${formatCount(rollUp[part])} ${ROLL_UP_WORDS[part]}`] : [],
  );
  return [
    { label: 'Kind', text: toKind(node) },
    ...counts,
    ...(isUnrecorded(node) ? [UNKNOWN_DATA] : []),
    ...(node.metadata['reasoning'] === true ? [{ label: 'Reasoning', text: 'trains on reasoning' }] : []),
    {
      label: 'Runs below',
      text: runs.length === 0 ? 'none' : `${formatCount(rollUp.total)}: ${runs.join(', ')}`,
    },
  ];
}

// Every field of a node as a readable row, including those that SPEC doesn't list. Pure.

interface DetailField {
  /** `metadata.training_count`: where the field stands in the answer. */
  readonly path: string;
  /** As in JSON, but texts without quotes. */
  readonly text: string;
  readonly isStructured: boolean;
}

function toField(path: string, value: unknown): DetailField {
  if (typeof value === 'string') return { path, text: value, isStructured: false };
  const isStructured = typeof value === 'object' && value !== null;
  return { path, text: JSON.stringify(value, null, isStructured ? 2 : undefined) ?? String(value), isStructured };
}

/** All fields except the children, which appear as a number. */
export function toDetailFields(node: TreeNode): readonly DetailField[] {
  const fields: DetailField[] = [];
  for (const [name, value] of Object.entries(node)) {
    if (value === undefined) continue;
    if (name === 'children') fields.push({ path: 'children', text: String(node.children.length), isStructured: false });
    else if (name === 'metadata' && isObject(value)) {
      for (const [inner, part] of Object.entries(value)) fields.push(toField(`metadata.${inner}`, part));
    } else fields.push(toField(name, value));
  }
  return fields;
}

/** The node without its children, as JSON. */
export function toNodeJson(node: TreeNode): string {
  return JSON.stringify({ ...node, children: undefined }, null, 2);
}
