// Reads a project tree from any service (SPEC 4.1), tolerating what real services leave out.
// An unknown type, status or extra field is kept as it is; only a thing without an id can't be shown.
import { isObject, ownField, type JsonObject, type Read } from './reading.ts';
import type { ProjectSummary } from './tree.ts';

const NODE_TYPES = ['project', 'dataset', 'snapshot', 'finetuning-job', 'experiment'] as const;
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
  const { label, name, id } = node;
  if (label !== undefined && label.trim() !== '') return label;
  return name !== undefined && name.trim() !== '' ? name : id;
}

const EMPTY: JsonObject = Object.freeze({});
const NO_CHILDREN: readonly TreeNode[] = Object.freeze([]);
const MAX_DEPTH = 32;

/** Children that were read before the rest, under the text that stands for them in their list (projectText). */
export type HeldNodes = Map<string, readonly TreeNode[]>;

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields => isObject(value);
const isComplete = (value: Fields): value is Fields & TreeNode =>
  typeof value['id'] === 'string' && Array.isArray(value['children']);

/** The nodes of a list, at this depth below the project. Objects of the list become the nodes. */
export function readNodes(list: unknown, depth: number, held: HeldNodes | null): readonly TreeNode[] {
  if (!Array.isArray(list) || list.length === 0) return NO_CHILDREN;
  const nodes: TreeNode[] = [];
  for (const entry of list as readonly unknown[]) {
    const node = toNode(entry, depth, held);
    if (node) nodes.push(node);
    else if (held && typeof entry === 'string') {
      const earlier = held.get(entry);
      held.delete(entry);
      if (earlier) for (const other of earlier) nodes.push(other);
    }
  }
  return nodes;
}

/** Completes the object where it stands: copies of 100,000 objects would cost more than reading them. */
function toNode(value: unknown, depth: number, held: HeldNodes | null): TreeNode | null {
  if (!isFields(value) || depth > MAX_DEPTH) return null;
  const { id, type, name, label, status, metadata } = value;
  if (typeof id !== 'string' || id === '') return null;
  value['children'] = readNodes(value['children'], depth + 1, held);
  if (typeof type !== 'string') value['type'] = 'unknown';
  if (name !== undefined && typeof name !== 'string') value['name'] = undefined;
  if (label !== undefined && typeof label !== 'string') value['label'] = undefined;
  if (status !== undefined && typeof status !== 'string') value['status'] = undefined;
  if (!isObject(metadata)) value['metadata'] = EMPTY;
  return isComplete(value) ? value : null;
}

/** Reads `{project: {...}}`, which becomes the tree; the reason says what was there instead. */
export function readProject(body: unknown, held: HeldNodes | null = null): Read<TreeNode> {
  if (!isObject(body) || !isObject(ownField(body, 'project'))) {
    return { ok: false, reason: 'the answer has no "project" object' };
  }
  const node = toNode(body['project'], 0, held);
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
    return [
      { id, name: typeof name === 'string' ? name : id, created_at: typeof created_at === 'string' ? created_at : '' },
    ];
  });
  return { ok: true, value: projects };
}
