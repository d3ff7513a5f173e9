// What a markdown answer consists of, as plain data: the tokens of the lexer turned into nodes that are safe to show.
// Raw HTML becomes text, images become links, unclickable targets become text.
import type { Token, Tokens } from 'marked';
import { decodeEntities } from './entities.ts';
import type { ReadInline } from './lexer.ts';
import { splitLines } from './mathLines.ts';
import { parseLink } from './safeLink.ts';

export type InlineNode =
  | { readonly kind: 'text'; readonly text: string }
  /** A formula as it was typed, with its marks. */
  | { readonly kind: 'code' | 'formula'; readonly text: string }
  | { readonly kind: 'strong' | 'em' | 'del'; readonly children: readonly InlineNode[] }
  | {
      readonly kind: 'link';
      readonly href: string;
      readonly isImage: boolean;
      readonly children: readonly InlineNode[];
    }
  /** A link that may not be clicked: the target is shown as text behind its words. */
  | { readonly kind: 'target'; readonly target: string; readonly children: readonly InlineNode[] }
  | { readonly kind: 'checkbox'; readonly isChecked: boolean }
  | { readonly kind: 'break' };

type Align = 'left' | 'center' | 'right' | null;

export interface ListItem {
  /** Offset of the item in the answer; stable while the answer grows. */
  readonly key: number;
  readonly children: readonly BlockNode[];
}

interface TableCell {
  readonly column: number;
  readonly align: Align;
  readonly children: readonly InlineNode[];
}

export interface TableRow {
  readonly key: number;
  readonly cells: readonly TableCell[];
}

/** Whole lines of code that will not change. */
export interface CodeChunk {
  readonly key: number;
  readonly text: string;
}

interface Keyed {
  /** Offset of the block in the answer; stable while the answer grows. */
  readonly key: number;
}

export type BlockNode = Keyed &
  (
    | { readonly kind: 'paragraph'; readonly children: readonly InlineNode[] }
    | { readonly kind: 'heading'; readonly level: number; readonly children: readonly InlineNode[] }
    | { readonly kind: 'quote'; readonly children: readonly BlockNode[] }
    | { readonly kind: 'list'; readonly start: number | null; readonly items: readonly ListItem[] }
    | { readonly kind: 'table'; readonly header: readonly TableCell[]; readonly rows: readonly TableRow[] }
    /** `rest` follows the chunks; joined they are the code. */
    | { readonly kind: 'code'; readonly language: string; readonly chunks: readonly CodeChunk[]; readonly rest: string }
    | { readonly kind: 'html'; readonly text: string }
    | { readonly kind: 'rule' }
  );

/** Deeper nesting than this is shown as its source: hostile answers must not overflow the stack. */
const MAX_DEPTH = 24;

function appendText(nodes: InlineNode[], joined: string): void {
  const text = splitLines(joined);
  const last = nodes.at(-1);
  if (last?.kind === 'text') nodes[nodes.length - 1] = { kind: 'text', text: last.text + text };
  else if (text !== '') nodes.push({ kind: 'text', text });
}

function toLink(target: string, children: readonly InlineNode[], isImage: boolean): InlineNode {
  const decoded = decodeEntities(target);
  const href = parseLink(decoded);
  return href === null ? { kind: 'target', target: decoded, children } : { kind: 'link', href, isImage, children };
}

function appendInline(nodes: InlineNode[], token: Token, depth: number): void {
  if (depth > MAX_DEPTH) {
    appendText(nodes, token.raw);
    return;
  }
  switch (token.type) {
    case 'strong':
    case 'em':
    case 'del':
      nodes.push({ kind: token.type, children: toInline(token.tokens, depth + 1) });
      return;
    case 'codespan':
      nodes.push({ kind: 'code', text: splitLines((token as Tokens.Codespan).text) });
      return;
    case 'formula':
      nodes.push({ kind: 'formula', text: splitLines(token.raw) });
      return;
    case 'link':
      nodes.push(toLink((token as Tokens.Link).href, toInline(token.tokens, depth + 1), false));
      return;
    case 'image': {
      const { href, text } = token as Tokens.Image;
      nodes.push(toLink(href, [{ kind: 'text', text: decodeEntities(text) || 'image' }], true));
      return;
    }
    case 'br':
      nodes.push({ kind: 'break' });
      return;
    case 'checkbox':
      nodes.push({ kind: 'checkbox', isChecked: (token as Tokens.Checkbox).checked });
      return;
    case 'escape':
      appendText(nodes, (token as Tokens.Escape).text);
      return;
    case 'text':
      if (token.tokens) for (const inner of token.tokens) appendInline(nodes, inner, depth + 1);
      else appendText(nodes, decodeEntities((token as Tokens.Text).text));
      return;
    default:
      appendText(nodes, token.raw);
  }
}

/** Inline tokens as nodes; neighbouring texts become one. */
export function toInline(tokens: readonly Token[] | undefined, depth = 0): readonly InlineNode[] {
  const nodes: InlineNode[] = [];
  for (const token of tokens ?? []) appendInline(nodes, token, depth);
  return nodes;
}

const AS_LEXED: ReadInline = (tokens) => tokens;

/** Inline nodes that are made when they are first shown: most of a long answer is far from view. */
function lazyInline(read: () => readonly Token[]): () => readonly InlineNode[] {
  let unread: typeof read | null = read;
  let nodes: readonly InlineNode[] = [];
  return () => {
    if (unread) nodes = toInline(unread());
    unread = null;
    return nodes;
  };
}

const toLate = (tokens: Token[] | undefined, readInline: ReadInline): (() => readonly InlineNode[]) =>
  lazyInline(() => readInline(tokens ?? []));

function toParagraph(key: number, inline: () => readonly InlineNode[]): BlockNode {
  return {
    kind: 'paragraph',
    key,
    get children() {
      return inline();
    },
  };
}

/** Where each row of a table starts in its source. */
function toRowStarts(table: Tokens.Table): readonly number[] {
  const starts: number[] = [];
  let at = 0;
  for (const [index, line] of table.raw.split('\n').entries()) {
    if (index > 1) starts.push(at);
    at += line.length + 1;
  }
  return starts;
}

function toCells(cells: readonly Tokens.TableCell[], readInline: ReadInline): readonly TableCell[] {
  return cells.map(({ align, tokens }, column) => {
    const inline = toLate(tokens, readInline);
    return {
      column,
      align,
      get children() {
        return inline();
      },
    };
  });
}

/** Each item's key is its own offset in the answer. */
function toItems(list: Tokens.List, start: number, depth: number, readInline: ReadInline): readonly ListItem[] {
  let at = start;
  return list.items.map((item) => {
    const node: ListItem = { key: at, children: toBlocks(item.tokens, at, depth + 1, readInline) };
    at += item.raw.length;
    return node;
  });
}

/** One block token as a node; null for what shows nothing (blank lines, link definitions). */
export function toBlock(token: Token, key: number, depth = 0, readInline = AS_LEXED): BlockNode | null {
  if (depth > MAX_DEPTH) return { kind: 'html', key, text: splitLines(token.raw) };
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading': {
      const inline = toLate(token.tokens, readInline);
      return {
        kind: 'heading',
        key,
        level: (token as Tokens.Heading).depth,
        get children() {
          return inline();
        },
      };
    }
    case 'blockquote':
      return { kind: 'quote', key, children: toBlocks(token.tokens ?? [], key, depth + 1, readInline) };
    case 'list': {
      const list = token as Tokens.List;
      return {
        kind: 'list',
        key,
        start: list.start === '' ? null : list.start,
        items: toItems(list, key, depth, readInline),
      };
    }
    case 'table': {
      const table = token as Tokens.Table;
      const rowStarts = toRowStarts(table);
      const rows = table.rows.map((row, index) => ({
        key: key + (rowStarts[index] ?? index),
        cells: toCells(row, readInline),
      }));
      return { kind: 'table', key, header: toCells(table.header, readInline), rows };
    }
    case 'code': {
      const code = token as Tokens.Code;
      // The lexer adds a newline to fenced code that ends in an empty line.
      const rest = code.codeBlockStyle === 'indented' ? code.text : code.text.replace(/\n$/, '');
      return { kind: 'code', key, language: toLanguage(code.lang ?? ''), chunks: [], rest: splitLines(rest) };
    }
    case 'html':
      return { kind: 'html', key, text: splitLines(token.raw.replace(/\n+$/, '')) };
    case 'hr':
      return { kind: 'rule', key };
    case 'paragraph':
      return toParagraph(key, toLate(token.tokens, readInline));
    default:
      return toParagraph(
        key,
        lazyInline(() => ('tokens' in token && token.tokens ? readInline(token.tokens) : [token])),
      );
  }
}

/** The first word of a fence's info string. */
export function toLanguage(info: string): string {
  return decodeEntities(info.trim().split(/\s+/, 1)[0] ?? '');
}

/**
 * Block tokens as nodes. Inside a tight list item the lexer gives a checkbox and a text side by side: they become one
 * paragraph, as in a loose item.
 */
export function toBlocks(
  tokens: readonly Token[],
  start: number,
  depth = 0,
  readInline = AS_LEXED,
): readonly BlockNode[] {
  const nodes: BlockNode[] = [];
  let at = start;
  let checkbox: BlockNode | null = null;
  for (const token of tokens) {
    const node = toBlock(token, at, depth, readInline);
    const box = checkbox;
    if (box?.kind === 'paragraph' && node?.kind === 'paragraph') {
      nodes[nodes.length - 1] = {
        kind: 'paragraph',
        key: box.key,
        get children() {
          return [...box.children, ...node.children];
        },
      };
    } else if (node) nodes.push(node);
    checkbox = token.type === 'checkbox' ? node : null;
    at += Math.max(1, token.raw.length);
  }
  return nodes;
}
