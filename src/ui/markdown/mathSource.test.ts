import { describe, expect, it } from 'vitest';
import { toLexed } from './lexer.ts';
import { isProse, parseFormula } from './mathSource.ts';

describe('parseFormula', () => {
  it.each<[string, string, boolean]>([
    ['$x$', 'x', false],
    ['\\( x \\)', 'x', false],
    ['$$x$$', 'x', true],
    ['\\[\nx\n\\]', 'x', true],
  ])('%j', (source, tex, isDisplay) => expect(parseFormula(source)).toEqual({ tex, isDisplay }));

  it.each(['', '$', '$$', '$$$$', '$$ $$', '\\(\\)', '\\[ \\]', 'x', '$x', 'x$', '\\(x\\]', '\\(x'])(
    '%j is none',
    (source) => expect(parseFormula(source)).toBeNull(),
  );
});

describe('between single dollar signs', () => {
  it.each([
    '$5 or 6$',
    '$5, not 6$',
    '$5 and AU$',
    '$5 per month vs. US$',
    '$1,000 to CA$',
    '$HOME/$',
    '$HOME:$',
    '$MY_DIR is $',
    '$PATH/bin$',
    '$price$',
    '$3k in US$',
    '$a, but b or c$',
    '$variable_name$',
  ])('%j is a part of a sentence', (source) => {
    expect(isProse(source)).toBe(true);
    expect(JSON.stringify(toLexed(`so ${source} it is`))).not.toContain('"formula"');
  });

  it.each([
    '$x$',
    '$a + b$',
    '$a = 5$',
    '$E=mc^2$',
    '$5x + 3$',
    '$2 \\times 10^5$',
    '$\\text{the loss of the model}$',
    '$x_{train} - y_{valid}$',
    '$\\operatorname{softmax}(x)$',
    '$\\mathrm{loss} = 3$',
    '$n$',
    '$\\alpha and$',
    '$f(x) dx$',
    '$\\triangle ABC$',
    '$50%$',
    '$3.14$',
    '$-1$',
    '$O(n \\log n)$',
    '$p(y \\mid x)$',
  ])('%j is a formula', (source) => {
    expect(isProse(source)).toBe(false);
    expect(JSON.stringify(toLexed(`so ${source} it is`))).toContain('"formula"');
  });

  it.each(['$$the loss is small$$', '\\(the loss and more\\)'])('only: %j is a formula', (source) =>
    expect(isProse(source)).toBe(false),
  );

  it.each(['`$x$`', '```\n$x$\n```', '    $x$', '``\\(x\\)``', '~~~tex\n\\[x\\]\n~~~'])('not in code: %j', (text) =>
    expect(JSON.stringify(toLexed(text))).not.toContain('"formula"'),
  );

  it('judges hostile text without end in reasonable time', () => {
    for (const piece of ['\\a', '{', '{}', 'a,', ' or', '1', 'A_', '\\'])
      expect([true, false]).toContain(isProse(`$${piece.repeat(50_000)}$`));
  });
});
