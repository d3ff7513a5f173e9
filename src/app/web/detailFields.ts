// Every field of a node as a readable row, including those that SPEC doesn't list. Pure.
import type { TreeNode } from '#core/contract/projectReader.ts';
import { isObject } from '#core/contract/reading.ts';

export interface DetailField {
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
