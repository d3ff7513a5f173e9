// Reads the text of a project while it arrives, so that even 20 MB block the page for no longer than a frame. Text that
// was read is discarded. The result equals that of JSON.parse and readProject.
import { readNodes, readProject, type NodesByMark, type TreeNode } from './projectReader.ts';
import type { Read } from './reading.ts';

/** How many characters of nodes are parsed at once: the length of a run. */
const RUN = 192 * 1024;

/** An open list of nodes. `start`: where its unread run starts. */
interface NodeList {
  start: number;
}

/** What an open bracket holds. */
type Container = 'node' | NodeList | 'object' | 'array';

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
/** First letters of the two names that matter, "children" and "project". */
const LETTER_C = 99;
const LETTER_P = 112;

/** The closing quote of the string that starts at `start`; -1 if it has none. */
function endOfString(text: string, start: number): number {
  // Most strings are short: calling indexOf for each would take longer.
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return -1;
}

const isList = (container: Container | undefined): container is NodeList => typeof container === 'object';
const isArray = (container: Container | undefined): boolean => container === 'array' || isList(container);

/**
 * Reads `{project: {...}}` from pieces of its text, cut anywhere. A mark replaces the nodes that were read: `nonce` and
 * a number. The answer must not contain the nonce, so nobody may know it when the answer is written.
 */
export class ProjectTextReader {
  private readonly nonce: string;
  private readonly run: number;
  private readonly nodes: NodesByMark = new Map();
  private marks = 0;
  /** Unread text, and marks for the nodes that were read. Scanned up to `at`. */
  private text = '';
  private at = 0;
  /** Pieces that are not joined to `text` yet: joining each small piece would copy the unread text each time. */
  private pending: string[] = [];
  private pendingLength = 0;
  private readonly open: Container[] = [];
  private depth = 0;
  private stringAt = -1;
  private stringEnd = -1;
  private key: string | null = null;
  private broken: SyntaxError | null = null;

  constructor(nonce: string, run = RUN) {
    this.nonce = nonce;
    this.run = run;
  }

  /** How many characters are in memory: unread text and marks. */
  get length(): number {
    return this.text.length + this.pendingLength;
  }

  /** Takes the next piece. It yields after each part, so that the caller can pause. */
  *push(piece: string): Generator<undefined, void> {
    for (let from = 0; from < piece.length && !this.broken; from += this.run) {
      const part = piece.slice(from, from + this.run);
      this.pending.push(part);
      this.pendingLength += part.length;
      // Unread text must grow by half before the next scan, so that even one string of 20 MB is scanned few times.
      if (this.pendingLength < Math.max(this.run / 2, this.text.length / 2)) continue;
      this.scanOn();
      yield undefined;
    }
  }

  /** The project, after the last piece. Throws SyntaxError where JSON.parse does. */
  end(): Read<TreeNode> {
    this.scanOn();
    if (this.broken) throw this.broken;
    return readProject(JSON.parse(this.text), this.nodes);
  }

  private scanOn(): void {
    if (this.broken) return;
    this.text += this.pending.join('');
    this.pending = [];
    this.pendingLength = 0;
    try {
      this.scan();
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      // `end` throws it: a connection that is lost meanwhile matters more.
      this.broken = error;
      this.text = '';
    }
  }

  /** Reads the list's unread run, which ends at `end`, and puts a mark in its place. Returns where the mark ends. */
  private readRun(list: NodeList, end: number): number {
    const { start } = list;
    const entries: unknown = JSON.parse(`[${this.text.slice(start, end)}]`);
    // Only white space where an entry must be: a mark would turn invalid text into JSON.
    if (!Array.isArray(entries) || entries.length === 0) return end;
    this.marks += 1;
    const mark = `${this.nonce} ${this.marks}`;
    this.nodes.set(mark, readNodes(entries, this.depth, this.nodes));
    const before = `${this.text.slice(0, start)}${JSON.stringify(mark)}`;
    this.text = before + this.text.slice(end);
    list.start = before.length + 1;
    return before.length;
  }

  private scan(): void {
    const { open } = this;
    // Local variables: reading fields for each of 20 million characters would take half as long again.
    let { text, at } = this;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        const end = endOfString(text, at);
        if (end < 0) break;
        this.stringAt = at;
        this.stringEnd = end;
        at = end;
      } else if (code === COLON) {
        const name = text.charCodeAt(this.stringAt + 1);
        this.key =
          name === LETTER_C || name === LETTER_P
            ? text.slice(this.stringAt + 1, Math.min(this.stringEnd, this.stringAt + 12))
            : null;
      } else if (code === COMMA) {
        this.key = null;
        const inner = open.at(-1);
        if (isList(inner) && at - inner.start >= this.run) {
          at = this.readRun(inner, at);
          text = this.text;
        }
      } else if (code === OPEN_OBJECT) {
        open.push(isList(open.at(-1)) || (open.length === 1 && this.key === 'project') ? 'node' : 'object');
        this.key = null;
      } else if (code === OPEN_LIST) {
        const holdsNodes = open.at(-1) === 'node' && this.key === 'children';
        open.push(holdsNodes ? { start: at + 1 } : 'array');
        if (holdsNodes) this.depth += 1;
        this.key = null;
      } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
        const inner = open.pop();
        if (inner === undefined || isArray(inner) !== (code === CLOSE_LIST))
          throw new SyntaxError('The brackets do not match.');
        if (isList(inner)) {
          if (at - inner.start >= this.run) {
            at = this.readRun(inner, at);
            text = this.text;
          }
          this.depth -= 1;
        }
        this.key = null;
      }
    }
    this.at = at;
  }
}
