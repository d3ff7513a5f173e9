// Reads a project tree from any service (SPEC 4.1), tolerating what real services leave out.
// An unknown type, status or extra field is kept as it is; only a thing without an id can't be shown.
import { arrayOr, isObject, ownField, type JsonObject, type Read } from './reading';
import type { ProjectSummary } from './tree';

export const NODE_TYPES = ['project', 'dataset', 'snapshot', 'finetuning-job', 'experiment'] as const;
export type NodeType = (typeof NODE_TYPES)[number];

/** One node as the dashboard holds it. Wire names; `children` is always an array, `metadata` always an object. */
export interface TreeNode {
  readonly id: string;
  /** One of NODE_TYPES from a service that follows SPEC; any text otherwise. */
  readonly type: string;
  /** Projects have `name`, all others `label` (SPEC 2.1): use nodeLabel. */
  readonly name?: string;
  readonly label?: string;
  readonly status?: string;
  readonly children: readonly TreeNode[];
  readonly metadata: JsonObject;
}

/** What a person sees as the node's name; never empty. */
export function nodeLabel(node: TreeNode): string {
  return node.label ?? node.name ?? node.id;
}

const EMPTY: JsonObject = Object.freeze({});
const MAX_DEPTH = 32;

function toNode(value: unknown, depth: number): TreeNode | null {
  if (!isObject(value) || depth > MAX_DEPTH) return null;
  const id = ownField(value, 'id');
  if (typeof id !== 'string' || id === '') return null;
  const children: TreeNode[] = [];
  for (const child of arrayOr(ownField(value, 'children'))) {
    const node = toNode(child, depth + 1);
    if (node) children.push(node);
  }
  const { type, name, label, status, metadata } = value;
  return {
    ...value,
    id,
    type: typeof type === 'string' ? type : 'unknown',
    name: typeof name === 'string' ? name : undefined,
    label: typeof label === 'string' ? label : undefined,
    status: typeof status === 'string' ? status : undefined,
    children,
    metadata: isObject(metadata) ? metadata : EMPTY,
  };
}

/** Reads `{project: {...}}`; the reason says what was there instead. */
export function readProject(body: unknown): Read<TreeNode> {
  if (!isObject(body) || !isObject(ownField(body, 'project'))) {
    return { ok: false, reason: 'the answer has no "project" object' };
  }
  const node = toNode(body['project'], 0);
  return node ? { ok: true, value: node } : { ok: false, reason: 'the project has no id' };
}

/** Reads `{projects: [...]}`; entries without an id are left out. */
export function readProjectList(body: unknown): Read<readonly ProjectSummary[]> {
  if (!isObject(body) || !Array.isArray(body['projects'])) {
    return { ok: false, reason: 'the answer has no "projects" list' };
  }
  const projects = body['projects'].flatMap((entry: unknown): ProjectSummary[] => {
    if (!isObject(entry) || typeof entry['id'] !== 'string') return [];
    const { id, name, created_at } = entry;
    return [{ id, name: typeof name === 'string' ? name : id, created_at: typeof created_at === 'string' ? created_at : '' }];
  });
  return { ok: true, value: projects };
}
