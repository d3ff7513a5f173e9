// Lists of fixed texts as grammars.
import { toTextTree, type Branch } from '#core/schema/literalTree.ts';
import { quote } from './gbnf.ts';

function toRule({ text, branches, isEnd }: Branch): string {
  const head = text === '' ? '' : quote(text);
  if (branches.length === 0) return head === '' ? '""' : head;
  return `${head} (${branches.map(toRule).join(' | ')})${isEnd ? '?' : ''}`.trimStart();
}

/** A grammar for any of the texts. */
export function toLiteralRule(texts: readonly string[]): string {
  return toRule(toTextTree(texts));
}
