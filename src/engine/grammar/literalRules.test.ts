import { describe, expect, it } from 'vitest';
import { countBranches } from '#core/schema/literalTree.ts';
import { toLiteralRule } from './literalRules.ts';
import { openLlamaRuntime } from '#engine/llamaRuntime.ts';

const runtime = await openLlamaRuntime('off');

async function openMatcher(texts: readonly string[]): Promise<(text: string) => boolean> {
  const grammar = await runtime.llama.createGrammar({ grammar: `root ::= ${toLiteralRule(texts)}` });
  const test = Reflect.get(grammar, '_testText') as (text: string) => boolean;
  return (text) => test.call(grammar, text);
}

describe('toLiteralRule', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['one text', ['"a"'], ['"b"', '"a', '']],
    ['texts that begin alike', ['"red"', '"read"', '"ready"', '"blue"'], ['"re"', '"rea"', '"readyy"']],
    ['a text that begins another', ['a', 'ab', 'abc'], ['abcd', 'b', '']],
    ['the empty text', ['', 'a'], ['b']],
    ['repeated texts', ['x', 'x', 'y'], ['xx']],
    ['characters of two code units', ['"😀"', '"😁"', '"😀😁"'], ['"😁😀"', '"']],
    ['quotes and backslashes', [String.raw`"\""`, String.raw`"\\"`], [String.raw`"\"`]],
  ])('%s', async (_what, texts, others) => {
    const matches = await openMatcher(texts);
    for (const text of texts) expect([text, matches(text)]).toEqual([text, true]);
    for (const text of others) expect([text, matches(text)]).toEqual([text, false]);
  });

  it('counts the ways to go on, not the texts', () => {
    expect(countBranches(Array.from({ length: 8000 }, (_, index) => `"v${index}"`))).toBeLessThan(16);
    expect(countBranches(['a', 'b', 'c'])).toBe(3);
  });
});
