// A grammar for any text without a certain mark, so that one answer can have free text and constrained calls.
import { quote, type Rules } from '#engine/grammar/gbnf.ts';

function toClass(chars: readonly string[], isNegated: boolean): string {
  const escaped = chars.map((char) => char.replace(/[\]\\^-]/g, '\\$&')).join('');
  return `[${isNegated ? '^' : ''}${escaped}]`;
}

/**
 * Any text without `mark`, as an automaton: state n has seen the first n characters of the mark. The first character
 * of `mark` must occur only once, so that every mismatch returns to the start (checked).
 */
export function toPlainTextRule(mark: string, rules: Rules): string {
  const [first = ''] = mark;
  if (mark === '' || mark.slice(1).includes(first))
    throw new Error(`The mark ${quote(mark)} repeats its first character.`);
  const states = [...mark].map(() => rules.reserve('plain'));
  const [start = ''] = states;
  for (const [index, char] of [...mark].entries()) {
    const state = states[index] ?? start;
    const next = states[index + 1];
    const options = ['""'];
    options.push(`${toClass(index === 0 ? [first] : [first, char], true)} ${start}`);
    if (index > 0) options.push(`${quote(first)} ${states[1] ?? start}`);
    if (next !== undefined) options.push(`${quote(char)} ${next}`);
    rules.define(state, options.join(' | '));
  }
  return start;
}
