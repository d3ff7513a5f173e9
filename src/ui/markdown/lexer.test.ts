import { Lexer } from 'marked';
import { describe, expect, it } from 'vitest';
import { toLexed } from './lexer.ts';
import { toBlocks, type InlineNode } from './markdownNodes.ts';

function inline(text: string): readonly InlineNode[] {
  const [first, ...more] = toBlocks(toLexed(text), 0);
  if (first?.kind !== 'paragraph' || more.length > 0) throw new Error(`expected one paragraph: ${text}`);
  return first.children;
}

describe('formulas', () => {
  it.each([
    '$x_1 + y_2$',
    '$$a_b * c_d * e$$',
    '$$\na_b * c\n= d_e\n$$',
    '\\(a_b*c*d\\)',
    '\\[x*y*z\\]',
    '$a$',
    '$\\frac{1}{2}$',
  ])('%j stays as it was typed', (text) => {
    expect(inline(text)).toEqual([{ kind: 'formula', text }]);
  });

  it('stand among words, in bold, and in cells', () => {
    expect(inline('so $a_1$ and **bold $b_2$**')).toEqual([
      { kind: 'text', text: 'so ' },
      { kind: 'formula', text: '$a_1$' },
      { kind: 'text', text: ' and ' },
      {
        kind: 'strong',
        children: [
          { kind: 'text', text: 'bold ' },
          { kind: 'formula', text: '$b_2$' },
        ],
      },
    ]);
    expect(JSON.stringify(toBlocks(toLexed('| a |\n| - |\n| $x_1$ |'), 0))).toContain(
      '{"kind":"formula","text":"$x_1$"}',
    );
  });

  it.each(['from $5 to $6', 'it costs $5-$10', 'US$ 5', 'a $ b $ c', 'one $ only', '$', '$$', '\\( open', '`$a$`'])(
    '%j is none',
    (text) => {
      expect(JSON.stringify(inline(text))).not.toContain('formula');
    },
  );

  it('does not end a line or code early', () => {
    expect(JSON.stringify(inline('`a $b` c$'))).not.toContain('formula');
    expect(inline('$5 *and*\nthen $x')).toEqual([
      { kind: 'text', text: '$5 ' },
      { kind: 'em', children: [{ kind: 'text', text: 'and' }] },
      { kind: 'text', text: '\nthen $x' },
    ]);
  });
});

it('is the plain lexer where there is no formula', () => {
  const text = '# a\n\n- [x] b *c*\n\n| d |\n| - |\n| e |\n\n[f](https://g.example) \\* <b>';
  expect(toLexed(text)).toEqual(new Lexer({ gfm: true }).lex(text));
});

it('reads hostile text without end in reasonable time', () => {
  for (const piece of ['$', '$a', '\\(', '\\[', '$$', '$ '])
    expect(toLexed(piece.repeat(6000)).length).toBeGreaterThan(0);
});
