// A formula that is still being written, at the end of a paragraph. Pure.
import type { Token } from 'marked';

const OPENINGS: ReadonlySet<string> = new Set(['\\(', '\\[']);
const rawOf = (tokens: readonly Token[]): string => tokens.map((token) => token.raw).join('');

/**
 * The inline tokens of a paragraph that still grows: from the start of a formula without an end on, all is as it was
 * typed.
 */
export function withOpenFormula(tokens: readonly Token[]): readonly Token[] {
  let isOpening = false;
  const at = tokens.findIndex((token) => {
    isOpening = token.type === 'escape' && OPENINGS.has(token.raw);
    return isOpening || (token.type === 'text' && token.raw.includes('$$'));
  });
  const first = tokens[at];
  if (!first) return tokens;
  const start = isOpening ? 0 : first.raw.indexOf('$$');
  const before = first.raw.slice(0, start);
  const text: Token[] = before === '' ? [] : [{ type: 'text', raw: before, text: before }];
  return [
    ...tokens.slice(0, at),
    ...text,
    { type: 'formula', raw: first.raw.slice(start) + rawOf(tokens.slice(at + 1)) },
  ];
}
