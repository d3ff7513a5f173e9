import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectSame } from '#core/contract/expectSame.fixture.ts';
import { toLexed } from './lexer.ts';
import { toBlocks, type BlockNode, type InlineNode } from './markdownNodes.ts';
import {
  allBlocks,
  EMPTY_MARKDOWN,
  PAGE_BLOCKS,
  PARAGRAPH_CUT,
  reduceMarkdown,
  type MarkdownState,
} from './markdownSplit.ts';

/** A block without offsets and without how its code is cut, to compare what is shown. */
function toShown(node: BlockNode): unknown {
  switch (node.kind) {
    case 'quote':
      return [node.kind, node.children.map(toShown)];
    case 'list':
      return [node.kind, node.start, node.items.map((item) => item.children.map(toShown))];
    case 'table':
      return [node.kind, node.header, node.rows.map((row) => row.cells)];
    case 'code':
      return [
        node.kind,
        node.language,
        [...node.chunks.map((chunk) => chunk.text), node.rest].join('').replace(/\n+$/, ''),
      ];
    case 'heading':
      return [node.kind, node.level, node.children];
    case 'paragraph':
      return [node.kind, node.children];
    case 'html':
      return [node.kind, node.text];
    case 'rule':
      return [node.kind];
    default: {
      const unknown: never = node;
      return unknown;
    }
  }
}

const whole = (text: string): unknown[] => toBlocks(toLexed(text), 0).map(toShown);

function grow(text: string, lengths: readonly number[]): MarkdownState {
  let state = EMPTY_MARKDOWN;
  let at = 0;
  for (let index = 0; at < text.length; index += 1) {
    at += lengths[index % lengths.length] ?? 1;
    state = reduceMarkdown(state, text.slice(0, at), false);
  }
  return reduceMarkdown(state, text, true);
}

const inPieces = (text: string, lengths: readonly number[]): unknown[] => allBlocks(grow(text, lengths)).map(toShown);

const expectWhole = (text: string, lengths: readonly number[]): void =>
  expectSame(inPieces(text, lengths), whole(text));

const words = fc.constantFrom(
  'alpha',
  'beta **bold** x',
  '`code`',
  '*em*',
  'a_b_c',
  '[link](https://a.example/x)',
  '&amp;',
  '<b>',
  '|',
  '1',
  'x  ',
  '\\*',
  '~~del~~',
  'https://b.example',
  '![i](http://c.example/i.png)',
  '$a_b*c*$',
  '\\(x*y*z\\)',
  '$5 or $6',
  '$$a$$',
);
const inline = fc.array(words, { minLength: 1, maxLength: 4 }).map((list) => list.join(' '));
const line = fc.oneof(
  { weight: 6, arbitrary: inline },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom('- ', '* ', '+ ', '1. ', '2. ', '10) ', '- [ ] ', '- [x] '), inline)
      .map((parts) => parts.join('')),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.constantFrom('  ', '   ', '    ', '\t', '      '),
        fc.oneof(
          inline,
          inline.map((text) => `- ${text}`),
        ),
      )
      .map((parts) => parts.join('')),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('# ', '### ', '#', '> ', '>', '>> ', '> - ', '> > '), inline)
      .map((parts) => parts.join('')),
  },
  { weight: 3, arbitrary: fc.constantFrom('```', '```js', '~~~', '````', '  ```', '   ~~~ py') },
  { weight: 2, arbitrary: fc.constantFrom('---', '***', '- - -', '===', '--', '-', '*', '+ ', '1.', '|', '#') },
  { weight: 3, arbitrary: fc.constantFrom('| a | b |', '|---|:-:|', '| 1 | 2 |', 'a | b', '--- | ---', '|--|') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('<div>', '</div>', '<!-- x', '-->', '<script>', '</script>', '<details open>', '<br>'),
  },
  { weight: 6, arbitrary: fc.constantFrom('', '', '', '  ') },
);
const markdown = fc.array(line, { maxLength: 24 }).map((lines) => lines.join('\n'));
const lengths = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 });
const definition = fc.constantFrom(
  '[a]: https://a.example',
  '[b]:',
  '  https://b.example "t"',
  '[a]: <https://c.example> (title)',
  'see [a] and [x][b]',
  '"title"',
);

describe('reduceMarkdown', () => {
  it('gives the same blocks for random markdown, cut anywhere, as lexing the whole text', () => {
    fc.assert(fc.property(markdown, lengths, expectWhole), { numRuns: 500 });
  });

  it('gives the same with formulas over several lines', () => {
    const others = fc.constantFrom(
      'alpha',
      'beta **bold**',
      '- a',
      '+ b',
      '1. c',
      '  d',
      '   - e',
      '# f',
      '> g',
      '---',
      '=',
      '| h |',
      '|---|',
      '```',
      '~~~ tex',
      '\\]',
      'x $$',
      '- $$',
      '> \\[',
      '',
      '',
    );
    const formulas = fc
      .array(
        fc.oneof(
          { weight: 2, arbitrary: others },
          { weight: 1, arbitrary: fc.constantFrom('$$', '\\[', '$$ x', '\\[ y', '+ z \\]', '$$ w $$') },
        ),
        { maxLength: 16 },
      )
      .map((lines) => lines.join('\n'));
    fc.assert(fc.property(formulas, lengths, expectWhole), { numRuns: 300 });
  });

  it('gives the same with link definitions among the lines, once the answer is complete', () => {
    const withLinks = fc.array(fc.oneof(line, definition), { maxLength: 16 }).map((lines) => lines.join('\n'));
    fc.assert(fc.property(withLinks, lengths, expectWhole), { numRuns: 250 });
  });

  it('gives the same for any characters and any line ends', () => {
    const characters = fc.string({
      unit: fc.constantFrom(
        'a',
        ' ',
        '\n',
        '\r',
        '\t',
        '-',
        '*',
        '`',
        '~',
        '#',
        '>',
        '|',
        '[',
        ']',
        '(',
        ')',
        ':',
        '<',
        '!',
        '1',
        '.',
        '\\',
        'é',
        '𝒳',
      ),
      maxLength: 60,
    });
    fc.assert(fc.property(characters, lengths, expectWhole), { numRuns: 500 });
  });

  it('never touches a finished block again', () => {
    fc.assert(
      fc.property(markdown, (text) => {
        let state = EMPTY_MARKDOWN;
        let finished: readonly BlockNode[] = [];
        for (let at = 1; at <= text.length; at += 1) {
          state = reduceMarkdown(state, text.slice(0, at), false);
          const now = [...state.pages.flat(), ...state.recent];
          const changed = finished.findIndex((block, index) => now[index] !== block);
          if (changed >= 0) expect(now[changed]).toBe(finished[changed]);
          finished = now;
        }
      }),
      { numRuns: 40 },
    );
  });

  it('keeps only the last item, row or line in the tail', () => {
    const list = Array.from({ length: 500 }, (_, index) => `${index + 1}. item ${index}`).join('\n');
    const table = `| a | b |\n|---|---|\n${Array.from({ length: 500 }, (_, index) => `| ${index} | x |`).join('\n')}`;
    const code = `\`\`\`ts\n${'const a = 1;\n'.repeat(500)}const b`;
    for (const text of [list, table, code]) {
      const state = grow(text, [40]);
      const growing = reduceMarkdown(EMPTY_MARKDOWN, text, false);
      expect(text.length - growing.at).toBeLessThan(40);
      expect(allBlocks(state).map(toShown)).toEqual(whole(text));
    }
  });

  it('keeps the items of a list and the chunks of a code block when more is added', () => {
    const first = reduceMarkdown(EMPTY_MARKDOWN, '- a\n- b\n- c\n', false).live[0];
    const second = reduceMarkdown(
      reduceMarkdown(EMPTY_MARKDOWN, '- a\n- b\n- c\n', false),
      '- a\n- b\n- c\n- d\n- e',
      false,
    ).live[0];
    expect(first?.kind === 'list' && second?.kind === 'list' && second.items.length).toBe(5);
    const state = reduceMarkdown(EMPTY_MARKDOWN, `\`\`\`\n${'x\n'.repeat(60)}`, false);
    const more = reduceMarkdown(state, `\`\`\`\n${'x\n'.repeat(61)}`, false);
    const [before, after] = [state.live[0], more.live[0]];
    if (before?.kind !== 'code' || after?.kind !== 'code') throw new Error('expected code');
    expect(before.chunks).toHaveLength(2);
    expect(after.chunks[1]).toBe(before.chunks[1]);
  });

  it('gives each block a key that stays while the answer grows', () => {
    const text = 'one\n\ntwo\n\n- a\n- b\n\nthree';
    const early = allBlocks(reduceMarkdown(EMPTY_MARKDOWN, text.slice(0, -3), false));
    const late = allBlocks(grow(text, [3]));
    expect(early.map((block) => block.key)).toEqual(late.map((block) => block.key));
    expect(new Set(late.map((block) => block.key)).size).toBe(late.length);
  });

  it('resolves a reference link when its definition has come', () => {
    const text = 'see [the docs][d].\n\nmore text\n\n[d]: https://docs.example/x\n\nend\n\n';
    const early = reduceMarkdown(EMPTY_MARKDOWN, text.slice(0, 30), false);
    const streaming = allBlocks(reduceMarkdown(early, text, false))[0];
    expect(JSON.stringify(streaming)).toContain('[the docs][d]');
    const links = JSON.stringify(allBlocks(grow(text, [5]))[0]);
    expect(links).toContain('"href":"https://docs.example/x"');
  });

  it('cuts a paragraph without an end and loses no character', () => {
    const text = 'word '.repeat(PARAGRAPH_CUT);
    const blocks = allBlocks(grow(text, [4_000]));
    expect(blocks.length).toBeGreaterThan(4);
    const shown = blocks
      .flatMap((block) => (block.kind === 'paragraph' ? block.children : []))
      .map((node: InlineNode) => (node.kind === 'text' ? node.text : '?'))
      .join(' ');
    expect(shown.replace(/\s+/g, ' ').trim()).toBe(text.trim());
  });

  it('groups finished blocks into pages, so that a long answer has few parts', () => {
    const state = grow('paragraph\n\n'.repeat(PAGE_BLOCKS * 3), [50]);
    expect(state.pages.length).toBeGreaterThanOrEqual(2);
    expect(state.pages.every((page) => page.length === PAGE_BLOCKS)).toBe(true);
  });

  it('survives hostile nesting', () => {
    for (const text of ['>'.repeat(5_000), '- '.repeat(800), '*'.repeat(3_000), '['.repeat(3_000), '`'.repeat(3_000)]) {
      expect(() => grow(`${text} x`, [1_000])).not.toThrow();
    }
  });
});
