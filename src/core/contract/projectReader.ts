// Reads a project tree from any service (SPEC 4.1), and tolerates missing fields.
// Unknown types, statuses and fields are kept. Nodes without an id are dropped.
import { isObject, ownField, type JsonObject, type Read } from './readJson.ts';
import { toStatusCause, type StatusCause } from './statuses.ts';
import type { ProjectSummary } from './tree.ts';

const NODE_TYPES = ['project', 'dataset', 'snapshot', 'finetuning-job', 'experiment'] as const;
export type NodeType = (typeof NODE_TYPES)[number];

/** A node of the tree, with the names of the wire. `children` is always an array, `metadata` always an object. */
export interface TreeNode {
  readonly id: string;
  /** One of NODE_TYPES if the service follows SPEC, else any text. */
  readonly type: string;
  /** Projects have `name`, all others `label` (SPEC 2.1): use nodeLabel. */
  readonly name?: string;
  readonly label?: string;
  readonly status?: string;
  readonly children: readonly TreeNode[];
  readonly metadata: JsonObject;
}

/** The node's name for people. Never empty. */
export function nodeLabel(node: TreeNode): string {
  const { label, name, id } = node;
  if (label !== undefined && label.trim() !== '') return label;
  return name !== undefined && name.trim() !== '' ? name : id;
}

/** ASSUMED: what people noted of a node, as tree.ts has it. Not a part of the run: a change of it is no news of the run. */
export const NOTE_FIELDS: ReadonlySet<string> = new Set(['own_label', 'tags', 'is_starred', 'is_archived']);

/** The node's name before a person gave it another one. */
export function ownLabel(node: TreeNode): string {
  const { own_label: own } = node.metadata;
  return typeof own === 'string' && own.trim() !== '' ? own : nodeLabel(node);
}

const NO_TAGS: readonly string[] = Object.freeze([]);

export function nodeTags({ metadata: { tags } }: TreeNode): readonly string[] {
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : NO_TAGS;
}

/** ASSUMED: as tree.ts has it. Why a run has its status; null: the status says it. */
export const statusCause = ({ metadata }: TreeNode): StatusCause | null => toStatusCause(metadata['status_cause']);

export const isStarred = (node: TreeNode): boolean => node.metadata['is_starred'] === true;

export const isArchived = (node: TreeNode): boolean => node.metadata['is_archived'] === true;

/** ASSUMED: as tree.ts has it. A place for runs that wrote down no data, whose data may differ: it is no dataset. */
export const isUnrecorded = ({ metadata }: TreeNode): boolean => metadata['is_recorded'] === false;

const EMPTY: JsonObject = Object.freeze({});
const NO_CHILDREN: readonly TreeNode[] = Object.freeze([]);
const MAX_DEPTH = 32;

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields => isObject(value);
const isComplete = (value: Fields): value is Fields & TreeNode =>
  typeof value['id'] === 'string' && Array.isArray(value['children']);

/** The nodes of a list, at this depth below the project. The objects of the list become the nodes. */
function readNodes(list: unknown, depth: number): readonly TreeNode[] {
  if (!Array.isArray(list) || list.length === 0) return NO_CHILDREN;
  return list.flatMap((entry) => toNode(entry, depth) ?? []);
}

/** Completes the object in place: copying 100,000 objects would cost more than reading them. */
function toNode(value: unknown, depth: number): TreeNode | null {
  if (!isFields(value) || depth > MAX_DEPTH) return null;
  const { id, type, name, label, status, metadata } = value;
  if (typeof id !== 'string' || id === '') return null;
  value['children'] = readNodes(value['children'], depth + 1);
  if (typeof type !== 'string') value['type'] = 'unknown';
  if (name !== undefined && typeof name !== 'string') value['name'] = undefined;
  if (label !== undefined && typeof label !== 'string') value['label'] = undefined;
  if (status !== undefined && typeof status !== 'string') value['status'] = undefined;
  if (!isObject(metadata)) value['metadata'] = EMPTY;
  return isComplete(value) ? value : null;
}

/** Reads `{project: {...}}`. The objects of the body become the nodes. */
export function readProject(body: unknown): Read<TreeNode> {
  if (!isObject(body) || !isObject(ownField(body, 'project'))) {
    return { ok: false, reason: 'the answer has no "project" object' };
  }
  const node = toNode(body['project'], 0);
  return node ? { ok: true, value: node } : { ok: false, reason: 'the project has no id' };
}

/** Reads `{projects: [...]}`. Entries without an id are left out. */
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
