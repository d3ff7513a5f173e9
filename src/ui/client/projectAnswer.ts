// Requests a project's tree (SPEC 4.1). An unchanged answer costs next to nothing and keeps its identity: recognised by
// the service's ETag, else by its text.
import { readProject, type TreeNode } from '#core/contract/projectReader.ts';
import { toPath } from '#core/contract/path.ts';
import { runInSlices } from '#ui/timing/slices.ts';
import { toShapeFailure } from './failure.ts';
import { readJson, requestText, type Connection } from './request.ts';
import { keepNodes } from './sameNodes.ts';

/** Identifies an answer: its tag, or its text if the service sends no tag. */
type Mark = { readonly etag: string } | { readonly text: string };

const marks = new WeakMap<TreeNode, Mark>();

type Preparation = (tree: TreeNode) => Generator<unknown, unknown>;

const preparations: Preparation[] = [];

/**
 * Registers work on each new tree. It runs in slices before anyone sees the tree, so the result is ready for drawing.
 */
export function prepareTreesWith(preparation: Preparation): void {
  if (!preparations.includes(preparation)) preparations.push(preparation);
}

export interface ProjectRequest {
  readonly id: string;
  /** The last tree; an unchanged answer returns this object. */
  readonly previous: TreeNode | undefined;
  readonly signal: AbortSignal;
  readonly connection: Connection;
}

/** The project's tree. Throws ApiFailure. */
export async function requestProject({ id, previous, signal, connection }: ProjectRequest): Promise<TreeNode> {
  const mark = previous && marks.get(previous);
  const headers: Record<string, string> = mark && 'etag' in mark ? { 'if-none-match': mark.etag } : {};
  const path = toPath('/api/v1/public/projects/{projectId}', [id]);
  const answer = await requestText(path, { signal, connection, headers });
  const etag = answer.headers.get('etag');
  const isSame = mark && ('etag' in mark ? answer.status === 304 || mark.etag === etag : mark.text === answer.text);
  if (previous && isSame) return previous;
  const read = readProject(readJson(answer));
  if (!read.ok) throw toShapeFailure(answer.status, answer.headers, read.reason);
  const tree = previous ? await runInSlices(keepNodes(previous, read.value)) : read.value;
  for (const preparation of preparations) await runInSlices(preparation(tree));
  marks.set(tree, etag === null ? { text: answer.text } : { etag });
  return tree;
}
