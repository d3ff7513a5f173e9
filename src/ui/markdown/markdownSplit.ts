// Splits a growing markdown answer into blocks: finished ones are never touched again, only the tail is lexed. Where it
// may differ from lexing the whole text is listed at reduceMarkdown.
import type { Token, Tokens, TokensList } from 'marked';
import { parseFence, reduceFence, toCodeBlock, type OpenFence } from './codeFence.ts';
import { toLexedBlocks, type LexedBlocks } from './lexer.ts';
import { toBlock, toBlocks, type BlockNode, type ListItem, type TableRow } from './markdownNodes.ts';
import { joinFormulas, splitLines } from './mathLines.ts';
import { withOpenFormula } from './mathOpen.ts';

type Links = TokensList['links'];

interface OpenList {
  readonly kind: 'list';
  readonly key: number;
  readonly start: number | null;
  readonly items: readonly ListItem[];
}

interface OpenTable {
  readonly kind: 'table';
  readonly key: number;
  /** Header and delimiter line: what the lexer needs to read further rows. */
  readonly prefix: string;
  readonly rows: readonly TableRow[];
}

export interface MarkdownState {
  /** Finished blocks, in pages of PAGE_BLOCKS; a page never changes. */
  readonly pages: readonly (readonly BlockNode[])[];
  /** Finished blocks that do not fill a page yet. */
  readonly recent: readonly BlockNode[];
  /** The blocks of the tail so far. */
  readonly live: readonly BlockNode[];
  /** Where the tail starts in the answer. */
  readonly at: number;
  /** A list, table or fence whose first part is finished and which the tail continues. */
  readonly open: OpenList | OpenTable | OpenFence | null;
  readonly links: Links;
  readonly hasDefinitions: boolean;
}

/**
 * Small enough that painting the growing page is cheap, large enough that a long answer is few layers: measured, 8
 * costs less than 1 and 48.
 */
export const PAGE_BLOCKS = 8;
/** A paragraph longer than this is cut, so that one endless line stays cheap. Characters. */
export const PARAGRAPH_CUT = 12_000;

export const EMPTY_MARKDOWN: MarkdownState = {
  pages: [],
  recent: [],
  live: [],
  at: 0,
  open: null,
  links: Object.freeze(Object.create(null)) as Links,
  hasDefinitions: false,
};

function lex(source: string, known: Links): LexedBlocks {
  try {
    return toLexedBlocks(source, known);
  } catch {
    // Nesting so deep that the lexer's recursion overflows: shown as it was typed.
    const plain: Token = { type: 'html', raw: source, text: source, block: true, pre: false };
    return { tokens: Object.assign([plain], { links: known }), readInline: (tokens) => tokens };
  }
}

function lexBlocks(source: string, known: Links, base: number): readonly BlockNode[] {
  const { tokens, readInline } = lex(source, known);
  return toBlocks(tokens, base, 0, readInline);
}

/** Puts the first part of an open list or table before the blocks of the tail. */
function joinOpen(open: MarkdownState['open'], node: BlockNode | null): BlockNode | null {
  if (open?.kind === 'list' && node?.kind === 'list')
    return { ...node, key: open.key, start: open.start, items: [...open.items, ...node.items] };
  if (open?.kind === 'table' && node?.kind === 'table')
    return { ...node, key: open.key, rows: [...open.rows, ...node.rows] };
  return node;
}

function finish(state: MarkdownState, blocks: readonly BlockNode[]): MarkdownState {
  const recent = [...state.recent, ...blocks];
  const full = Math.floor(recent.length / PAGE_BLOCKS);
  if (full === 0) return { ...state, recent, open: null };
  const pages = Array.from({ length: full }, (_, page) => recent.slice(page * PAGE_BLOCKS, (page + 1) * PAGE_BLOCKS));
  return { ...state, pages: [...state.pages, ...pages], recent: recent.slice(full * PAGE_BLOCKS), open: null };
}

interface Placed {
  readonly token: Token;
  readonly at: number;
}

/** Tokens that show something, with their offsets in the source; null if the offsets can't be trusted. */
function place(tokens: readonly Token[], source: string): readonly Placed[] | null {
  const placed: Placed[] = [];
  let at = 0;
  for (const token of tokens) {
    if (token.type !== 'space') placed.push({ token, at });
    at += token.raw.length;
  }
  return at === source.length ? placed : null;
}

/** Lines that end a paragraph by themselves. */
const INTERRUPTS =
  /^ {0,3}(?:#{1,6}(?:\s|$)|>|```|~~~|(?:[*+-]|1[.)])[ \t]+\S|(?:-[ \t]*){3,}$|(?:_[ \t]*){3,}$|(?:\*[ \t]*){3,}$)/;

/** No later text can change where the token starts: the lines that decide this are complete. */
function isAnchored(source: string, last: Placed, before: Token | undefined): boolean {
  const line = source.indexOf('\n', last.at);
  if (line < 0) return false;
  if (last.token.type === 'table' && source.indexOf('\n', line + 1) < 0) return false;
  // The lexer also ends a paragraph for a moment where two lines only look like a table.
  const isClose =
    before?.type === 'paragraph' && !/\n[ \t]*\n[ \t]*$/.test(source.slice(Math.max(0, last.at - 200), last.at));
  if (isClose && !(last.token.type === 'table' ? /^ *[|\p{L}]/u : INTERRUPTS).test(source.slice(last.at, line)))
    return false;
  // A definition's title may stand on the next line.
  return before?.type !== 'def' || !/^\s*["'(]/.test(source.slice(last.at, line));
}

/** Finishes all but the last item of a list or the last row of a table. */
function cutContainer(
  state: MarkdownState,
  source: string,
  last: Placed,
  node: BlockNode,
  base: number,
): MarkdownState {
  if (node.kind === 'list' && last.token.type === 'list') {
    const own = (last.token as Tokens.List).items.length;
    const first = node.items.length - own;
    // The last item whose first line is complete; the one before an incomplete item always is.
    for (let index = node.items.length - 1; index > first; index -= 1) {
      const key = node.items[index]?.key ?? 0;
      if (source.indexOf('\n', key - base) < 0) continue;
      return {
        ...state,
        at: key,
        open: { kind: 'list', key: node.key, start: node.start, items: node.items.slice(0, index) },
      };
    }
    return state;
  }
  if (node.kind === 'table' && last.token.type === 'table') {
    const row = node.rows.at(-1);
    if (!row || (last.token as Tokens.Table).rows.length < 2) return state;
    const lines = last.token.raw.split('\n', 2);
    const prefix = `${lines.join('\n')}\n`;
    return { ...state, at: row.key, open: { kind: 'table', key: node.key, prefix, rows: node.rows.slice(0, -1) } };
  }
  return state;
}

/** Cuts an endless paragraph at a space before a letter, so that the rest can't read as another kind of block. */
function cutParagraph(state: MarkdownState, tail: string, base: number): MarkdownState | null {
  if (tail.length < PARAGRAPH_CUT) return null;
  const cut = /^[\s\S]*\s(?=\p{L})/u.exec(tail.slice(0, PARAGRAPH_CUT))?.[0].length ?? PARAGRAPH_CUT;
  const blocks = lexBlocks(tail.slice(0, cut), state.links, base);
  return { ...finish(state, blocks), at: base + cut };
}

function keepLinks(state: MarkdownState, finished: readonly Placed[], all: Links): MarkdownState {
  const hasDefinitions = state.hasDefinitions || Object.keys(all).length > Object.keys(state.links).length;
  let { links } = state;
  for (const { token } of finished) {
    if (token.type !== 'def' || links[(token as Tokens.Def).tag]) continue;
    const { tag, href, title } = token as Tokens.Def;
    links = Object.assign(Object.create(null) as Links, links, { [tag]: { href, title } });
  }
  return { ...state, links, hasDefinitions };
}

interface Step {
  readonly state: MarkdownState;
  /** The tail begins with something new that must be read at once. */
  readonly isMoved: boolean;
}

function stepFence(state: MarkdownState, open: OpenFence, tail: string, isFinal: boolean): Step {
  const { fence, length, isClosed } = reduceFence(open, tail, isFinal);
  const at = state.at + length;
  if (isClosed) return { state: { ...finish(state, [toCodeBlock(fence, '')]), at, live: [] }, isMoved: true };
  return { state: { ...state, at, open: fence, live: [toCodeBlock(fence, tail.slice(length))] }, isMoved: false };
}

function stepBlocks(state: MarkdownState, tail: string, isFinal: boolean): Step {
  const prefix = state.open?.kind === 'table' ? state.open.prefix : '';
  const source = prefix + tail;
  const base = state.at - prefix.length;
  const { tokens, readInline } = lex(source, state.links);
  const placed = place(tokens, source);
  const last = placed?.at(-1);
  if (!placed || !last) return { state: { ...state, live: toBlocks(tokens, base, 0, readInline) }, isMoved: false };

  const nodes = placed.map(({ token, at }, index) => {
    const isGrowing = !isFinal && token === last.token && token.type === 'paragraph';
    const node = toBlock(token, base + at, 0, isGrowing ? (list) => withOpenFormula(readInline(list)) : readInline);
    return index === 0 ? joinOpen(state.open, node) : node;
  });
  const shown = nodes.filter((node) => node !== null);
  const node = nodes.at(-1);
  // Before the last token that is anchored, everything is finished; the one before an unanchored token always is.
  for (let index = placed.length - 1; index > 0; index -= 1) {
    const cut = placed[index];
    if (!cut || !isAnchored(source, cut, placed[index - 1]?.token)) continue;
    const finished = nodes.slice(0, index).filter((each) => each !== null);
    const next = keepLinks(finish(state, finished), placed.slice(0, index), tokens.links);
    return { state: { ...next, at: base + cut.at, live: [] }, isMoved: true };
  }
  const next = { ...keepLinks(state, [], tokens.links), live: shown };
  if (placed.length > 1) return { state: next, isMoved: false };
  const cut = last.token.type === 'paragraph' && state.open === null ? cutParagraph(next, tail, base) : null;
  if (cut) return { state: cut, isMoved: true };
  return { state: node ? cutContainer(next, source, last, node, base) : next, isMoved: false };
}

/** Text before an unfinished formula is rendered as usual; from its start on, the source is shown. */
function stepFormula(state: MarkdownState, tail: string, openAt: number): Step {
  const before =
    openAt === 0 && state.open === null
      ? { state: { ...state, live: [] }, isMoved: false }
      : stepBlocks(state, tail.slice(0, openAt), false);
  if (before.isMoved) return before;
  const typed: BlockNode = {
    kind: 'paragraph',
    key: state.at + openAt,
    children: [{ kind: 'formula', text: splitLines(tail.slice(openAt)) }],
  };
  return { ...before, state: { ...before.state, live: [...before.state.live, typed] } };
}

function step(state: MarkdownState, text: string, isFinal: boolean): Step {
  const rest = text.slice(state.at);
  if (state.open?.kind === 'code') return stepFence(state, state.open, rest, isFinal);
  const { text: tail, openAt } = joinFormulas(rest);
  if (state.open === null) {
    const blank = /^(?:[ \t]*\n)+/.exec(tail)?.[0].length ?? 0;
    if (blank > 0) return { state: { ...state, at: state.at + blank, live: [] }, isMoved: true };
    const opened = parseFence(tail, state.at);
    if (opened) return { state: { ...state, at: state.at + opened.length, open: opened.fence }, isMoved: true };
  }
  return openAt >= 0 && !isFinal ? stepFormula(state, tail, openAt) : stepBlocks(state, tail, isFinal);
}

/** `\r\n` and `\r` as `\n`; a `\r` at the end waits for what follows it. */
function toLines(text: string, isFinal: boolean): string {
  if (!text.includes('\r')) return text;
  const whole = isFinal || !text.endsWith('\r') ? text : text.slice(0, -1);
  return whole.replace(/\r\n?/g, '\n');
}

/**
 * The state for `text`, the answer so far, from the state for a beginning of it. With `isFinal` the text is complete.
 *
 * The blocks are those of lexing the whole text, but for these:
 * - while it streams, a reference link stays as typed until its definition came; at the end all are resolved;
 * - a definition's title that starts two or more lines below it, or has blank lines in it, is text while it streams;
 * - a paragraph of more than PARAGRAPH_CUT characters becomes several, and emphasis does not reach across the cut.
 */
export function reduceMarkdown(state: MarkdownState, text: string, isFinal: boolean): MarkdownState {
  const lines = toLines(text, isFinal);
  let current = state;
  for (;;) {
    const { state: next, isMoved } = step(current, lines, isFinal);
    current = next;
    if (!isMoved) break;
  }
  if (!isFinal || !current.hasDefinitions) return current;
  return finish({ ...EMPTY_MARKDOWN, at: lines.length }, lexBlocks(joinFormulas(lines).text, EMPTY_MARKDOWN.links, 0));
}

/** Every block of the answer, in order. */
export function allBlocks(state: MarkdownState): readonly BlockNode[] {
  return [...state.pages.flat(), ...state.recent, ...state.live];
}
