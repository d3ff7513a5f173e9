// The lexer of answers: marked's for GitHub's markdown, with formulas kept as they were typed (their `_` and `*` are no
// emphasis).
import { Lexer, type Token, type TokensList, type TokenizerExtensionFunction } from 'marked';
import { joinFormulas } from './mathLines.ts';
import { isProse } from './mathSource.ts';

/** `$$…$$`, `$…$` that is no price, `\(…\)` and `\[…\]`; bounded, so that what never ends costs little. */
const FORMULA =
  /^(?:\$\$[^$]{1,2000}\$\$|\$(?![\s$])(?:[^$\n]{0,400}[^\s$\\])\$(?!\d)|\\\([^\n]{1,400}?\\\)|\\\[[\s\S]{1,2000}?\\\])/;
const MAYBE_FORMULA = /\$|\\[([]/;

const readFormula: TokenizerExtensionFunction = (source) => {
  const raw = FORMULA.exec(source)?.[0];
  return raw === undefined || isProse(raw) ? undefined : { type: 'formula', raw };
};

const FORMULAS = {
  renderers: {},
  childTokens: {},
  inline: [readFormula],
  startInline: [(source: string): number => source.indexOf('$')],
};

function openLexer(source: string, links: TokensList['links']): Lexer {
  const lexer = new Lexer(MAYBE_FORMULA.test(source) ? { gfm: true, extensions: FORMULAS } : { gfm: true });
  lexer.tokens.links = Object.assign(Object.create(null) as TokensList['links'], links);
  return lexer;
}

/**
 * The tokens of `source`, with the link definitions that stand before it. May throw where nesting overflows the stack.
 */
export function toLexed(source: string, links: TokensList['links'] = {}): TokensList {
  const { text } = joinFormulas(source);
  return openLexer(text, links).lex(text);
}

/** Inline tokens that are still to be read, by the list in which the block's token keeps them. */
export type ReadInline = (tokens: Token[]) => readonly Token[];

export interface LexedBlocks {
  readonly tokens: TokensList;
  /** Fills the list when it is first asked for. Never throws. */
  readonly readInline: ReadInline;
}

/**
 * As `toLexed` for a source without carriage returns, but what stands inside the blocks is read when it is asked for:
 * two thirds of the work.
 */
export function toLexedBlocks(source: string, links: TokensList['links']): LexedBlocks {
  const lexer = openLexer(source, links);
  const { tokens } = lexer;
  lexer.blockTokens(source, tokens);
  const unread = new Map(lexer.inlineQueue.map((each) => [each.tokens, each.src]));
  lexer.inlineQueue = [];
  // What is read later needs the links, and must not hold on to every token for them.
  lexer.tokens = Object.assign([], { links: tokens.links });
  const readInline: ReadInline = (list) => {
    const inner = unread.get(list);
    if (inner === undefined) return list;
    unread.delete(list);
    try {
      lexer.state.inRawBlock = false;
      lexer.state.inLink = false;
      return lexer.inlineTokens(inner, list);
    } catch {
      // Nesting so deep that the recursion overflows: shown as it was typed.
      return [{ type: 'escape', raw: inner, text: inner }];
    }
  };
  return { tokens, readInline };
}
