// A formula's source as MathML, in plain data. It runs in a worker (mathWorker.ts), since some formulas take for ever.
// Pure.
import temml from 'temml';
import { toAllowed, type MathElement } from './mathAllowed.ts';
import { parseFormula } from './mathSource.ts';

/**
 * What defines something could grow without end, in memory too, and what leads out of the formula has no place in it.
 * The library refuses the latter by itself.
 */
const REFUSED =
  /\\(?:[egx]?def|let|futurelet|global|long|(?:re)?newcommand|providecommand|DeclareMathOperator|csname|expandafter|definecolor|char|rule|href|url|includegraphics|class|id|style|data|html[A-Za-z]*|label|ref|eqref)(?![A-Za-z])/;
const MAX_LENGTH = 2000;

/** A percent sign of an answer is meant as one; in TeX it begins a comment. */
const keepPercents = (tex: string): string => tex.replace(/\\[\s\S]|%/g, (found) => (found === '%' ? '\\%' : found));

const row = (children: MathElement['children']): MathElement => ({ name: 'mrow', attributes: {}, looks: [], children });

/** The source stands beside what is shown, for programs that read formulas. */
function withSource(math: MathElement, tex: string): MathElement {
  const [only, ...more] = math.children;
  const shown = typeof only === 'object' && more.length === 0 ? only : row(math.children);
  const source: MathElement = {
    name: 'annotation',
    attributes: { encoding: 'application/x-tex' },
    looks: [],
    children: [tex],
  };
  return { ...math, children: [{ name: 'semantics', attributes: {}, looks: [], children: [shown, source] }] };
}

/** Null where the source is no formula, or none that is shown as one. Never throws. */
export function toMathTree(source: string): MathElement | null {
  const formula = source.length > MAX_LENGTH + 4 ? null : parseFormula(source);
  if (!formula || REFUSED.test(formula.tex)) return null;
  try {
    const tree: unknown = temml.__renderToMathMLTree(keepPercents(formula.tex), {
      displayMode: formula.isDisplay,
      throwOnError: true,
      trust: false,
      maxExpand: 1000,
      maxSize: [8, 100],
    });
    const math = toAllowed(tree);
    return math && withSource(math, formula.tex);
  } catch {
    // No TeX, or nesting so deep that the recursion overflows.
    return null;
  }
}
