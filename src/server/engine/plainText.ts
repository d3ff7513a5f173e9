// A grammar for any text that does not hold a certain mark: how free text and constrained calls share one answer.
import { quote, type Rules } from '#server/engine/grammar/gbnf.ts';

function toClass(chars: readonly string[], isNegated: boolean): string {
  const escaped = chars.map((char) => char.replace(/[\]\\^-]/g, '\\$&')).join('');
  return `[${isNegated ? '^' : ''}${escaped}]`;
}

/**
 * Any text in which `mark` does not occur, as an automaton: state n has seen the first n characters of the mark.
 * `mark` must not repeat its own first character, so that a mismatch can only begin anew (checked).
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
