// Requests a project's tree (SPEC 4.1). An unchanged answer costs next to nothing and keeps its identity: recognised by
// the service's ETag, else by its text.
import type { TreeNode } from '#core/contract/projectReader.ts';
import { ProjectTextReader } from '#core/contract/projectText.ts';
import type { Read } from '#core/contract/reading.ts';
import { toPath } from '#core/contract/path.ts';
import { toRunner } from '#ui/timing/slices.ts';
import { toShapeFailure } from './failure.ts';
import { requestPieces, toNoJsonFailure, type AnswerHead, type Connection, type PieceReader } from './request.ts';
import { keepNodes } from './sameNodes.ts';

/** Identifies an answer: its tag, or its text if the service sends no tag. */
type Mark = { readonly etag: string } | { readonly text: string };

const marks = new WeakMap<TreeNode, Mark>();

/** Characters of an answer's start, with white space shortened, that are stored in case the answer is no JSON. */
const START = 200;

type Preparation = (tree: TreeNode) => Generator<unknown, unknown>;

const preparations: Preparation[] = [];

/**
 * Registers work on each new tree. It runs in slices before anyone sees the tree, so the result is ready for drawing.
 */
export function prepareTreesWith(preparation: Preparation): void {
  if (!preparations.includes(preparation)) preparations.push(preparation);
}

/** Reads one answer. Parses nothing as long as its text equals that of the last answer. */
class AnswerReader implements PieceReader<TreeNode> {
  private readonly reader = new ProjectTextReader(`nodes ${Math.random()}`);
  private readonly run = toRunner();
  private readonly head: AnswerHead;
  private readonly etag: string | null;
  /** The last answer's tree, if this answer has the same tag. */
  private readonly unchanged: TreeNode | null;
  private readonly previous: TreeNode | undefined;
  /** The last answer's text while this one's is equal, and how much of it has arrived. */
  private last: string | null;
  private same = 0;
  /** All pieces, if the next answer is compared by text. */
  private readonly parts: string[] = [];
  private start = '';

  constructor(head: AnswerHead, previous: TreeNode | undefined) {
    const mark = previous && marks.get(previous);
    this.head = head;
    this.previous = previous;
    this.etag = head.headers.get('etag');
    const isUnchanged = mark !== undefined && (head.status === 304 || ('etag' in mark && mark.etag === this.etag));
    this.unchanged = previous && isUnchanged ? previous : null;
    this.last = this.etag === null && mark && 'text' in mark ? mark.text : null;
  }

  async take(piece: string): Promise<void> {
    if (this.unchanged) return;
    if (this.last?.startsWith(piece, this.same) === true) {
      this.same += piece.length;
      return;
    }
    await this.readSame();
    await this.read(piece);
  }

  /** The tree; unchanged parts are those of the last one. Throws ApiFailure. */
  async end(): Promise<TreeNode> {
    if (this.unchanged) return this.unchanged;
    if (this.previous && this.same === this.last?.length) return this.previous;
    await this.readSame();
    const read = this.readEnd();
    if (!read.ok) throw toShapeFailure(this.head.status, this.head.headers, read.reason);
    const tree = this.previous ? await this.run(keepNodes(this.previous, read.value)) : read.value;
    for (const preparation of preparations) await this.run(preparation(tree));
    marks.set(tree, this.etag === null ? { text: this.parts.join('') } : { etag: this.etag });
    return tree;
  }

  private async readSame(): Promise<void> {
    const same = this.last?.slice(0, this.same) ?? '';
    this.last = null;
    if (same !== '') await this.read(same);
  }

  private async read(piece: string): Promise<void> {
    if (this.start.length < START)
      this.start = `${this.start}${piece.slice(0, 20 * START)}`.replace(/\s+/g, ' ').trimStart().slice(0, START);
    if (this.etag === null) this.parts.push(piece);
    await this.run(this.reader.push(piece));
  }

  private readEnd(): Read<TreeNode> {
    try {
      return this.reader.end();
    } catch (error) {
      throw error instanceof SyntaxError ? toNoJsonFailure(this.head, this.start) : error;
    }
  }
}

export interface ProjectRequest {
  readonly id: string;
  /** The last tree; an unchanged answer returns this object. */
  readonly previous: TreeNode | undefined;
  readonly signal: AbortSignal;
  readonly connection: Connection;
}

/** The project's tree. Throws ApiFailure. */
export function requestProject({ id, previous, signal, connection }: ProjectRequest): Promise<TreeNode> {
  const mark = previous && marks.get(previous);
  const headers: Record<string, string> = mark && 'etag' in mark ? { 'if-none-match': mark.etag } : {};
  const path = toPath('/api/v1/public/projects/{projectId}', [id]);
  return requestPieces(path, { signal, connection, headers }, (head) => new AnswerReader(head, previous));
}
