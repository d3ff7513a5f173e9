// Asks for a project's tree (SPEC 4.1) so that an unchanged answer costs next to nothing and keeps its identity: by the
// service's ETag, else by comparing texts.
import type { TreeNode } from '#shared/contract/projectReader.ts';
import { ProjectTextReader } from '#shared/contract/projectText.ts';
import type { Read } from '#shared/contract/reading.ts';
import { projectPath } from '#shared/contract/routes.ts';
import { toRunner } from '#web/ui/timing/slices.ts';
import { toShapeFailure } from './failure.ts';
import { requestPieces, toNoJsonFailure, type AnswerHead, type Connection, type PieceReader } from './request.ts';
import { keepNodes } from './sameNodes.ts';

/** What an answer is recognised by: its tag, or the text itself from a service that gives none. */
type Mark = { readonly etag: string } | { readonly text: string };

const marks = new WeakMap<TreeNode, Mark>();

/** Characters of an answer's start, white space made short, that are kept in case it is no JSON. */
const START = 200;

type Preparation = (tree: TreeNode) => Generator<unknown, unknown>;

const preparations: Preparation[] = [];

/** Adds what is made of each new tree, in slices, before anybody sees it: then it is there when the tree is drawn. */
export function prepareTreesWith(preparation: Preparation): void {
  if (!preparations.includes(preparation)) preparations.push(preparation);
}

/** Reads one answer. As long as its text is that of the last answer, there is nothing to read. */
class AnswerReader implements PieceReader<TreeNode> {
  private readonly reader = new ProjectTextReader(`nodes ${Math.random()}`);
  private readonly run = toRunner();
  private readonly head: AnswerHead;
  private readonly etag: string | null;
  /** The last answer's tree, when this answer has its tag. */
  private readonly unchanged: TreeNode | null;
  private readonly previous: TreeNode | undefined;
  /** The last answer's text while this one's is the same, and how much of it has come. */
  private last: string | null;
  private same = 0;
  /** All pieces, where the text is what the next answer is compared with. */
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

  /** The tree, unchanged parts being those of the last one. Throws ApiFailure. */
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
  /** The tree as it was last read; the answer is this very object when nothing changed. */
  readonly previous: TreeNode | undefined;
  readonly signal: AbortSignal;
  readonly connection: Connection;
}

/** The project's tree. Throws ApiFailure. */
export function requestProject({ id, previous, signal, connection }: ProjectRequest): Promise<TreeNode> {
  const mark = previous && marks.get(previous);
  const headers: Record<string, string> = mark && 'etag' in mark ? { 'if-none-match': mark.etag } : {};
  return requestPieces(projectPath(id), { signal, connection, headers }, (head) => new AnswerReader(head, previous));
}
