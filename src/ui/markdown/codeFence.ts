// An open code fence, line by line: lines that are complete are never looked at again.
import { toLanguage, type BlockNode, type CodeChunk } from './markdownNodes.ts';

const OPENING = /^( {0,3})(`{3,}(?=[^`\n]*\n)|~{3,})([^\n]*)\n/;

/** Complete lines are grouped by this many, so that a long code block is few pieces that never change. */
const CHUNK_LINES = 24;

export interface OpenFence {
  readonly kind: 'code';
  readonly key: number;
  readonly language: string;
  /** The opening's indentation, taken off every line (the lexer does so for backtick fences only). */
  readonly indent: number;
  readonly closing: RegExp;
  readonly chunks: readonly CodeChunk[];
  /** Complete lines that do not fill a chunk yet; each ends in a newline. */
  readonly lines: readonly string[];
}

/** Reads a fence's complete opening line at the start of `tail`. `length` is what was read. */
export function parseFence(tail: string, key: number): { readonly fence: OpenFence; readonly length: number } | null {
  const match = OPENING.exec(tail);
  if (!match) return null;
  const [opening, indent = '', marks = '', info = ''] = match;
  const fence: OpenFence = {
    kind: 'code',
    key,
    language: toLanguage(info.replace(/\\([!-/:-@[-`{-~])/g, '$1')),
    indent: marks.startsWith('`') ? indent.length : 0,
    closing: new RegExp(`^ {0,3}${marks}${marks.charAt(0)}* *$`),
    chunks: [],
    lines: [],
  };
  return { fence, length: opening.length };
}

function dedent(line: string, indent: number): string {
  if (indent === 0) return line;
  const own = line.length - line.trimStart().length;
  return line.slice(Math.min(own, indent));
}

interface FenceStep {
  readonly fence: OpenFence;
  readonly length: number;
  readonly isClosed: boolean;
}

/** Takes the complete lines of `tail`, up to the closing fence. `isFinal`: the last line is complete as well. */
export function reduceFence(fence: OpenFence, tail: string, isFinal: boolean): FenceStep {
  const lines = [...fence.lines];
  const chunks = [...fence.chunks];
  let at = 0;
  while (at < tail.length) {
    const newline = tail.indexOf('\n', at);
    if (newline < 0 && !isFinal) break;
    const line = newline < 0 ? tail.slice(at) : tail.slice(at, newline);
    at = newline < 0 ? tail.length : newline + 1;
    if (fence.closing.test(line)) return { fence: { ...fence, chunks, lines }, length: at, isClosed: true };
    // Not before the next line is there: the newline of the last one does not belong to the code.
    if (lines.length === CHUNK_LINES) chunks.push({ key: chunks.length, text: lines.splice(0).join('') });
    lines.push(`${dedent(line, fence.indent)}\n`);
  }
  return { fence: { ...fence, chunks, lines }, length: at, isClosed: false };
}

/** The code as far as it goes; `partial` is a last line without its newline. */
export function toCodeBlock(fence: OpenFence, partial: string): BlockNode {
  // A closing fence that is still being written is not shown as code for a moment.
  const line = /^ {0,3}(?:`+|~+)$/.test(partial) ? '' : dedent(partial, fence.indent);
  const rest = fence.lines.join('') + line;
  // The newline before the closing fence does not belong to the code.
  return {
    kind: 'code',
    key: fence.key,
    language: fence.language,
    chunks: fence.chunks,
    rest: line === '' ? rest.replace(/\n$/, '') : rest,
  };
}
