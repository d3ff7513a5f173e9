// Automata of patterns as grammars, for the text between the quotes of a JSON text.
import { toPlain, type CharRange } from '#core/schema/charClass.ts';
import type { Automaton, Move } from '#core/schema/schemaNode.ts';
import type { Rules } from './gbnf.ts';

function toCode(code: number): string {
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** A grammar for one character of the set inside a JSON text. At least one character must be writable. */
function toClassRule(ranges: readonly CharRange[]): string {
  const plain = toPlain(ranges);
  const options: string[] = [];
  if (plain.length > 0)
    options.push(
      `[${plain.map(([from, to]) => (from === to ? toCode(from) : `${toCode(from)}-${toCode(to)}`)).join('')}]`,
    );
  const has = (code: number): boolean => ranges.some(([from, to]) => from <= code && code <= to);
  if (has(34)) options.push(String.raw`"\\\""`);
  if (has(92)) options.push(String.raw`"\\\\"`);
  if (has(10)) options.push(String.raw`"\\n"`);
  if (has(9)) options.push(String.raw`"\\t"`);
  return options.length === 1 ? options.join('') : `(${options.join(' | ')})`;
}

/** Adds the rules of the states and returns the rule of the start. */
export function writeAutomaton({ states }: Automaton, rules: Rules): string {
  const entries = states.map(() => 0);
  for (const { moves } of states) for (const { to } of moves) entries[to] = (entries[to] ?? 0) + 1;
  /** A state with one entry and one exit needs no rule: it is written where it is entered. */
  const isPassage = (at: number): boolean => {
    const state = states[at];
    return at !== 0 && entries[at] === 1 && state?.isEnd === false && state.moves.length === 1;
  };
  const isLast = (at: number): boolean => states[at]?.moves.length === 0;
  const names = states.map((_state, at) => (isPassage(at) || isLast(at) ? '' : rules.reserve('state')));
  const writeMove = (first: Move): string => {
    const parts: string[] = [];
    let move: Move | undefined = first;
    while (move !== undefined) {
      parts.push(toClassRule(move.ranges));
      if (isPassage(move.to)) move = states[move.to]?.moves[0];
      else {
        parts.push(names[move.to] ?? '');
        move = undefined;
      }
    }
    return parts.join(' ').trimEnd();
  };
  for (const [at, { isEnd, moves }] of states.entries()) {
    const name = names[at] ?? '';
    if (name === '') continue;
    rules.define(name, [...moves.map(writeMove), ...(isEnd ? ['""'] : [])].join(' | '));
  }
  return names[0] === '' ? '""' : (names[0] ?? '""');
}
