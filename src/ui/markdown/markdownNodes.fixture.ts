// Answers as a page shows them. For tests only.
import { Lexer } from 'marked';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { BlockView } from './BlockView.tsx';
import { toBlocks, type BlockNode } from './markdownNodes.ts';

export const blocks = (text: string): readonly BlockNode[] => toBlocks(new Lexer({ gfm: true }).lex(text), 0);

export const html = (text: string): string =>
  blocks(text)
    .map((node) => renderToStaticMarkup(createElement(BlockView, { node, isLive: false })))
    .join('');

/** The visible text. */
export const toText = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&');
