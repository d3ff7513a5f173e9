// Asks for a project's tree (SPEC 4.1) so that an unchanged answer costs next to nothing and keeps its identity:
// by the service's ETag, else by comparing texts. It must not know when to ask.
import { readProject, type TreeNode } from '../contract/projectReader';
import { projectPath } from '../contract/routes';
import { toShapeFailure } from './failure';
import { readJson, requestText, type Connection, type TextAnswer } from './request';
import { keepNodes } from './sameNodes';

/** What an answer is recognised by: its tag, or the text itself from a service that gives none. */
type Mark = { readonly etag: string } | { readonly text: string };

const marks = new WeakMap<TreeNode, Mark>();

function toMark({ headers, text }: TextAnswer): Mark {
  const etag = headers.get('etag');
  return etag === null ? { text } : { etag };
}

function isUnchanged(answer: TextAnswer, mark: Mark | undefined): boolean {
  if (!mark) return false;
  if (answer.status === 304) return true;
  return 'etag' in mark ? answer.headers.get('etag') === mark.etag : answer.text === mark.text;
}

function readAnswer(answer: TextAnswer): TreeNode {
  const read = readProject(readJson(answer));
  if (!read.ok) throw toShapeFailure(answer.status, answer.headers, read.reason);
  return read.value;
}

export interface ProjectRequest {
  readonly id: string;
  /** The tree as it was last read; the answer is this very object when nothing changed. */
  readonly previous: TreeNode | undefined;
  readonly signal: AbortSignal;
  readonly connection: Connection;
}

/** The project's tree. Throws ApiFailure. */
export async function requestProject({ id, previous, signal, connection }: ProjectRequest): Promise<TreeNode> {
  const mark = previous && marks.get(previous);
  const headers: Record<string, string> = mark && 'etag' in mark ? { 'if-none-match': mark.etag } : {};
  const answer = await requestText(projectPath(id), { signal, connection, headers });
  if (previous && isUnchanged(answer, mark)) return previous;
  const next = readAnswer(answer);
  const tree = previous ? keepNodes(previous, next) : next;
  marks.set(tree, toMark(answer));
  return tree;
}
