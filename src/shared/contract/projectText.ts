// Reads the text of a project's answer while it arrives, so that little is left to do at its last byte, and 20 MB of it
// stop a page for no longer than a frame. Only what is unread is kept. The result is that of JSON.parse and
// readProject.
import { readNodes, readProject, type HeldNodes, type TreeNode } from './projectReader.ts';
import type { Read } from './reading.ts';

/** Characters of nodes that are parsed at once. */
const RUN = 192 * 1024;

/** An open list of nodes: where its unread run starts. */
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
/** What the two names that matter begin with: "children" and "project". */
const LETTER_C = 99;
const LETTER_P = 112;

/** The closing quote of the string that starts at `start`; -1 when it has none. */
function endOfString(text: string, start: number): number {
  // Most strings are short: a call of indexOf for each would take longer.
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
 * Reads `{project: {...}}` from pieces of its text, cut anywhere. `nonce` is any text that nobody knew when the answer
 * was written: with a number, it stands in the text for nodes that have been read.
 */
export class ProjectTextReader {
  private readonly nonce: string;
  private readonly run: number;
  private readonly held: HeldNodes = new Map();
  private marks = 0;
  /** What has come and is not read, and the marks of what is. Scanned up to `at`. */
  private text = '';
  private at = 0;
  /** What has come since and is not in `text`: joining each small piece would copy the unread text each time. */
  private waiting: string[] = [];
  private waitingLength = 0;
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

  /** Characters that are kept: what is not read yet, and the marks. */
  get kept(): number {
    return this.text.length + this.waitingLength;
  }

  /** Takes the next piece, with a chance to pause after each part of it. */
  *push(piece: string): Generator<undefined, void> {
    for (let from = 0; from < piece.length && !this.broken; from += this.run) {
      const part = piece.slice(from, from + this.run);
      this.waiting.push(part);
      this.waitingLength += part.length;
      // What can't be read yet grows twofold before it is looked at again, be it one string of 20 MB.
      if (this.waitingLength < Math.max(this.run / 2, this.text.length / 2)) continue;
      this.scanOn();
      yield undefined;
    }
  }

  /** What has been read, when the last piece has been taken. Throws SyntaxError where JSON.parse does. */
  end(): Read<TreeNode> {
    this.scanOn();
    if (this.broken) throw this.broken;
    return readProject(JSON.parse(this.text), this.held);
  }

  private scanOn(): void {
    if (this.broken) return;
    this.text += this.waiting.join('');
    this.waiting = [];
    this.waitingLength = 0;
    try {
      this.scan();
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      // Whether the answer came to its end is known later, and matters more.
      this.broken = error;
      this.text = '';
    }
  }

  /** Reads the list's unread run, which ends at `end`; a mark takes its place. Returns where the run ends now. */
  private readRun(list: NodeList, end: number): number {
    const { start } = list;
    const entries: unknown = JSON.parse(`[${this.text.slice(start, end)}]`);
    // White space where an entry has to be: a mark in its place would make JSON of what is none.
    if (!Array.isArray(entries) || entries.length === 0) return end;
    this.marks += 1;
    const mark = `${this.nonce} ${this.marks}`;
    this.held.set(mark, readNodes(entries, this.depth, this.held));
    const before = `${this.text.slice(0, start)}${JSON.stringify(mark)}`;
    this.text = before + this.text.slice(end);
    list.start = before.length + 1;
    return before.length;
  }

  private scan(): void {
    const { open } = this;
    // Locals: a look at a field for each of 20 million characters would take half as long again.
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
