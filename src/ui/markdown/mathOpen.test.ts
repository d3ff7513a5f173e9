import { describe, expect, it } from 'vitest';
import { toLexed } from './lexer.ts';
import { toBlocks, toInline, type InlineNode } from './markdownNodes.ts';
import { allBlocks, EMPTY_MARKDOWN, reduceMarkdown } from './markdownSplit.ts';
import { withOpenFormula } from './mathOpen.ts';
import { parseFormula } from './mathSource.ts';
import { toMathTree } from './mathTree.ts';

const open = (text: string): readonly InlineNode[] => {
  const [first] = toLexed(text);
  return toInline(withOpenFormula(first && 'tokens' in first ? (first.tokens ?? []) : []));
};

describe('withOpenFormula', () => {
  it.each<[string, string, string]>([
    ['so \\(x_1 * y_1 *', 'so ', '\\(x_1 * y_1 *'],
    ['so \\[\n\\frac{a_b_c}{', 'so ', '\\[\n\\frac{a_b_c}{'],
    ['so $$x *a* `b`', 'so ', '$$x *a* `b`'],
  ])('%j: as typed from where it starts', (text, before, source) => {
    expect(open(text)).toEqual([
      { kind: 'text', text: before },
      { kind: 'formula', text: source },
    ]);
  });

  it.each(['words', 'a `\\(` b', 'one $5', '\\* and \\_', 'done \\(x\\) and on', '$$x$$ done'])(
    '%j has none',
    (text) => {
      const [first] = toLexed(text);
      const tokens = first && 'tokens' in first ? (first.tokens ?? []) : [];
      expect(withOpenFormula(tokens)).toBe(tokens);
    },
  );
});

describe('an answer with formulas, cut anywhere', () => {
  const TEXT =
    'The loss \\( L = \\frac{1}{N} \\sum_i a_i * b_i * c \\) is $x_1$ at $5 or $6.\n\n\\[\n\\begin{aligned} a &= ' +
    'b_1 \\\\ &= c_1 * d * e \\end{aligned}\n\\]\n\n- item $y_2$ and $$z_3$$\n\n| $a$ | b |\n|---|---|\n| ' +
    '$\\frac12$ | `$c$` |\n\n$$\n\\cancel{x}\n$$\n\nend\n';
  const formulasOf = (value: unknown): string[] =>
    [...JSON.stringify(value).matchAll(/\{"kind":"formula","text":("(?:[^"\\]|\\.)*")/g)].map(
      ([, text]) => JSON.parse(text ?? '""') as string,
    );

  it('shows the source of a formula until it is complete, and ends like the whole text read at once', () => {
    const whole = formulasOf(toBlocks(toLexed(TEXT), 0));
    expect(whole).toHaveLength(8);
    expect(whole.map((source) => toMathTree(source)).filter((math) => math === null)).toEqual([]);
    let state = EMPTY_MARKDOWN;
    for (let at = 1; at <= TEXT.length; at += 1) {
      const part = TEXT.slice(0, at);
      state = reduceMarkdown(state, part, false);
      const found = formulasOf(allBlocks(state));
      // All but the last are complete; the last is complete, or typed to the very end of the text.
      expect(whole).toEqual(expect.arrayContaining(found.slice(0, -1)));
      const last = found.at(-1);
      if (last !== undefined && !whole.includes(last)) {
        expect(part.trimEnd().endsWith(last.trimEnd())).toBe(true);
        expect(parseFormula(last) === null || toMathTree(last) === null || last.startsWith('$')).toBe(true);
      }
      expect(() => found.map(toMathTree)).not.toThrow();
    }
    expect(formulasOf(allBlocks(reduceMarkdown(state, TEXT, true)))).toEqual(whole);
  });

  it('reads an unfinished formula as plain text once the answer has ended', () => {
    const text = 'so \\(x *y* and';
    const growing = reduceMarkdown(EMPTY_MARKDOWN, text, false);
    expect(formulasOf(allBlocks(growing))).toEqual(['\\(x *y* and']);
    expect(formulasOf(allBlocks(reduceMarkdown(growing, text, true)))).toEqual([]);
    expect(formulasOf(allBlocks(reduceMarkdown(growing, `${text}\n\nmore\n\n`, false)))).toEqual([]);
  });
});
