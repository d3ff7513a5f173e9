import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MathElement } from './mathAllowed.ts';
import { toMathTree } from './mathTree.ts';

type Part = MathElement | string;

/** What is seen of it. */
function toShown(part: Part): string {
  if (typeof part === 'string') return part;
  return part.name === 'annotation' ? '' : part.children.map(toShown).join('');
}

function toElements(part: Part): MathElement[] {
  return typeof part === 'string' ? [] : [part, ...part.children.flatMap(toElements)];
}

const namesOf = (source: string): string[] => toElements(toMathTree(source) ?? '').map(({ name }) => name);

describe('toMathTree', () => {
  it.each<[string, string, string]>([
    ['$x_1$', 'x1', 'msub'],
    ['\\(\\frac{a}{b}\\)', 'ab', 'mfrac'],
    ['$$\\sqrt[3]{x}$$', 'x3', 'mroot'],
    ['\\[\\sum_{i=1}^n i\\]', '∑i=1ni', 'munderover'],
    ['$\\alpha \\le \\beta$', 'α≤β', 'mi'],
    ['$\\text{if } x$', 'if x', 'mtext'],
    ['$\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}$', '(1234)', 'mtable'],
    ['$$\\begin{align}a&=b\\\\&=c\\end{align}$$', 'a=b=c', 'mtable'],
    ['$\\ce{H2O}$', 'H2O', 'msub'],
    ['$\\boxed{42}$', '42', 'mrow'],
    ['$温度 = 3$', '温度=3', 'mtext'],
  ])('%s shows %j', (source, shown, element) => {
    const math = toMathTree(source);
    expect(math && toShown(math).replaceAll(/[\u00a0\u200b\u2061]/g, (found) => (found === '\u00a0' ? ' ' : ''))).toBe(
      shown,
    );
    expect(namesOf(source)).toContain(element);
  });

  it('says whether it has a line of its own, and keeps its source', () => {
    expect(toMathTree('$$x$$')?.attributes).toEqual({ display: 'block' });
    expect(toMathTree('$x$')?.attributes).toEqual({});
    const source = toElements(toMathTree('\\[ 50% \\]') ?? '').find(({ name }) => name === 'annotation');
    expect(source).toEqual({
      name: 'annotation',
      attributes: { encoding: 'application/x-tex' },
      looks: [],
      children: ['50%'],
    });
  });

  it('reads a percent sign as a character, and loses nothing after it', () => {
    expect(toShown(toMathTree('$50% of 3 \\\\% 4 \\% 5$') ?? '')).toMatch(/50%.*3.*%.*4.*%.*5/);
  });

  it.each([
    '',
    'x',
    '$$',
    '$ $',
    '$\\frac{1}{$',
    '$\\unknowncommand$',
    '$\\left( x$',
    '$x^2^3$',
    '$a & b$',
    '$#$',
    '$}$',
    '$\\begin{align} x$',
    '$\\begin{nothing}x\\end{nothing}$',
    '$\\$',
    '$\\color{<script>}x$',
  ])('%j stays as it was typed', (source) => expect(toMathTree(source)).toBeNull());
});

describe('hostile formulas', () => {
  it.each([
    '\\href{https://evil.example}{x}',
    '\\href{javascript:alert(1)}{x}',
    '\\url{https://evil.example}',
    '\\includegraphics{https://evil.example/i.png}',
    '\\includegraphics[height=1em]{data:image/svg+xml,x}',
    '\\class{evil}{x}',
    '\\id{root}{x}',
    '\\style{position:fixed}{x}',
    '\\data{a=b}{x}',
    '\\htmlClass{evil}{x}',
    '\\htmlId{root}{x}',
    '\\htmlStyle{position:fixed}{x}',
    '\\htmlData{a=b}{x}',
    '\\label{root}x',
    '\\ref{root}',
    '\\eqref{root}',
    '\\def\\a{\\a\\a}\\a',
    '\\gdef\\x{y}\\x',
    '\\edef\\a{x}\\a',
    '\\let\\a\\b',
    '\\newcommand{\\a}{x}\\a',
    '\\renewcommand{\\alpha}{x}\\alpha',
    '\\providecommand{\\a}[1]{#1#1}\\a{x}',
    '\\DeclareMathOperator{\\a}{x}\\a',
    '\\global\\def\\a{x}',
    '\\long\\def\\a{x}',
    '\\futurelet\\a\\b\\c',
    '\\expandafter\\def\\csname a\\endcsname{x}',
    '\\definecolor{red}{HTML}{000000}x',
    '\\rule{100em}{100em}',
    '\\char"41',
  ])('%s stays as it was typed', (tex) => expect(toMathTree(`$${tex}$`)).toBeNull());

  it('define no macro for the next formula', () => {
    toMathTree('$\\gdef\\evil{x}\\evil$');
    expect(toMathTree('$\\evil$')).toBeNull();
  });

  it.each<[string, string]>([
    ['too long', 'x'.repeat(100_000)],
    ['braces', `${'{'.repeat(900)}x${'}'.repeat(900)}`],
    ['roots', `${'\\sqrt{'.repeat(280)}x${'}'.repeat(280)}`],
    ['roots without braces', `${'\\sqrt'.repeat(380)} x`],
    ['fractions', `${'\\frac{1}{'.repeat(180)}x${'}'.repeat(180)}`],
    ['powers', `${'x^{'.repeat(480)}x${'}'.repeat(480)}`],
    ['brackets', `${'\\left('.repeat(130)}x${'\\right)'.repeat(130)}`],
    ['open braces', '{'.repeat(2000)],
    ['alignments', '&'.repeat(2000)],
    ['environments', '\\begin{matrix}'.repeat(130)],
  ])('without end, %s: as it was typed or in a bounded depth', (_what, tex) => {
    const math = toMathTree(`$${tex}$`);
    const depth = (part: Part): number => (typeof part === 'string' ? 0 : 1 + Math.max(0, ...part.children.map(depth)));
    expect(depth(math ?? '')).toBeLessThan(60);
  });

  it('stay in their place: nothing moves or grows much wider', () => {
    for (const tex of [
      '\\hspace{-1000em}x',
      '\\kern-1000em x',
      '\\raisebox{1000em}{x}',
      '\\hskip1000em x',
      '\\mspace{-9999mu}x',
      '\\Huge{\\Huge{\\Huge x}}',
      '\\begin{matrix}a\\\\[1000em]b\\end{matrix}',
      '\\smash{x}',
      '\\llap{x}',
    ]) {
      for (const { attributes } of toElements(toMathTree(`$${tex}$`) ?? '')) {
        for (const [name, value] of Object.entries(attributes))
          if (name !== 'encoding')
            expect(Math.abs(Number.parseFloat(value)) || 0).toBeLessThanOrEqual(/(?:pt|px)$/.test(value) ? 130 : 16);
      }
    }
  });

  it('never throw, and become nothing but what is allowed', () => {
    const piece = fc.constantFrom(
      '\\frac',
      '\\sqrt',
      '{',
      '}',
      '[',
      ']',
      '^',
      '_',
      '&',
      '\\\\',
      'x',
      '1',
      '\\left',
      '\\right',
      '(',
      ')',
      '.',
      '\\begin{array}{l|c}',
      '\\end{array}',
      '\\begin{cases}',
      '\\end{cases}',
      '\\text',
      '\\color{red}',
      '\\textcolor',
      '\\hline',
      '\\tag',
      '\\ce',
      '\\not',
      '\\hat',
      '\\href{https://evil.example}',
      '\\class{a}',
      '\\style{a:b}',
      '\\includegraphics{a}',
      '\\ref{a}',
      '\\mathbf',
      '\\operatorname',
      '\\overset',
      '\\cancel',
      '\\boxed',
      "'",
      '%',
      '#1',
      '~',
      '<b>',
      '\\verb|x|',
      '\\hspace{-9em}',
      '\\prescript',
      '\\sideset',
      '\\phantom',
      '\\big',
      '|',
      '\u0000',
      '\u202e',
      '𝒳',
    );
    const names = new Set<string>();
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        for (const element of toElements(toMathTree(`$$${pieces.join(' ')}$$`) ?? '')) {
          names.add(element.name);
          for (const look of element.looks) expect(look).toMatch(/^mm-[a-z-]+$/);
          for (const [name, value] of Object.entries(element.attributes))
            expect(`${name}=${value}`).toMatch(/^[a-z]+=[\w.+/-]*$/);
        }
      }),
      { numRuns: 3_000 },
    );
    expect([...names].filter((name) => !/^(?:m[a-z]+|semantics|annotation)$/.test(name))).toEqual([]);
    expect(names.size).toBeGreaterThan(8);
  });
});
