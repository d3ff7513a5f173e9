import { describe, expect, it } from 'vitest';
import { toLexed } from './lexer.ts';
import { toBlocks } from './markdownNodes.ts';
import { allBlocks, EMPTY_MARKDOWN, reduceMarkdown } from './markdownSplit.ts';
import { joinFormulas, splitLines } from './mathLines.ts';

const formulasOf = (value: unknown): string[] =>
  [...JSON.stringify(value).matchAll(/\{"kind":"formula","text":("(?:[^"\\]|\\.)*")/g)].map(
    ([, text]) => JSON.parse(text ?? '""') as string,
  );

/** In them a line begins as a list, a heading, a quote, a table, a rule or a fence would. */
const FORMULAS = [
  '\\[\na\n- b\n\\]',
  '$$\na\n+ b\n= c\n$$',
  '$$\na\n=\nb\n$$',
  '\\[\na\n> b\n\\]',
  '\\[ a\n| b |\n|---|\n\\]',
  '$$\n# 5\n$$',
  '\\[\n1. a\n---\n***\n\\]',
  '$$\n~~~\na\n$$',
  '\\[ a \\\\[4pt]\n- b \\]',
  '$$ a\n$$',
];

describe('joinFormulas', () => {
  it.each(FORMULAS)('%j becomes one line, as long as before', (formula) => {
    const text = `so\n${formula}\nand\n\n${formula}\n`;
    const joined = joinFormulas(text);
    expect(joined.text).toHaveLength(text.length);
    expect(joined.text.split('\n')).toHaveLength(6);
    expect(splitLines(joined.text)).toBe(text);
    expect(joined.openAt).toBe(-1);
    expect(formulasOf(toBlocks(toLexed(text), 0))).toEqual([formula, formula]);
  });

  it.each<[string, string]>([
    ['in code', '```\n$$\na\n- b\n$$\n```'],
    ['in code without an end', '~~~ tex\n\\[\na\n\\]'],
    ['in a longer fence', '````\n```\n$$\na\n$$\n````'],
    ['in code of a list', '1. ```\n   $$\n   a\n   $$\n   ```'],
    ['in an item of a list', '- a\n  $$\n  b\n  $$'],
    ['in indented code', '    $$\n    a\n    $$'],
    ['over a blank line', '$$\na\n\nb\n$$x'],
    ['too long', `\\[\n${'x\n'.repeat(2000)}\\]`],
    ['in the middle of a line', 'so $$\na$$'],
    ['of one dollar sign', '$\na\n$'],
    ['of a length', '\\\\[\na\n\\]'],
  ])('leaves lines as they are: %s', (_what, text) => expect(joinFormulas(text).text).toBe(text));

  it.each<[string, number]>([
    ['\\[\na\n+ b', 0],
    ['so\n\n$$\na\n+', 4],
    ['$$ a\n', 0],
    ['$$\na\n$', 0],
    ['so\n\\[ a', 3],
    ['```\n\\[ a', -1],
    ['\\[ a\n\n', -1],
    ['\\[ a \\]\n\\[ b', 8],
    ['words', -1],
    ['$$ a $$\nb', -1],
  ])('%j: one is open at %d', (text, at) => expect(joinFormulas(text).openAt).toBe(at));

  it('reads hostile text without end in reasonable time', () => {
    for (const piece of ['$$\n', '\\[\n', '\\[ x\n', '$$ x\n', '```\n$$\n', '$$\n\n', '\\[\n\\]'])
      expect(joinFormulas(piece.repeat(40_000)).text).toHaveLength(piece.length * 40_000);
  });
});

it.each(FORMULAS)(
  'an answer with %j, cut anywhere, shows it as typed until it is complete, and no list or heading of it',
  (formula) => {
    const text =
      `so\n${formula}\n\n- item\n\n${formula}\nand $$x$$\n\n1. one ` +
      `${formula.replaceAll(/[-+=>#|\n]|1\.|\*|~/g, ' ')}\n2. two\n\nend`;
    const whole = toBlocks(toLexed(text), 0);
    const foreign: string[] = [];
    for (const step of [1, 2, 3, 7, 50]) {
      let state = EMPTY_MARKDOWN;
      for (let at = step; at < text.length; at += step) {
        state = reduceMarkdown(state, text.slice(0, at), false);
        for (const { kind } of allBlocks(state))
          if (['heading', 'table', 'rule', 'quote', 'code'].includes(kind)) foreign.push(`${kind} at ${at} by ${step}`);
      }
      expect(JSON.stringify(allBlocks(reduceMarkdown(state, text, true)))).toBe(JSON.stringify(whole));
    }
    expect(foreign).toEqual([]);
    expect(formulasOf(whole)).toEqual([formula, formula, '$$x$$', expect.any(String)]);
  },
);
