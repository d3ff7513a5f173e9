import { describe, expect, it } from 'vitest';
import { Rules } from './gbnf';
import { openLlamaRuntime } from './llamaRuntime';
import { toPatternRule } from './patternRules';
import { SchemaProblem } from './schemaNode';

const runtime = await openLlamaRuntime();

/** Whether llama.cpp's own grammar parser accepts the whole text. */
async function openMatcher(pattern: string): Promise<(text: string) => boolean> {
  const rules = new Rules();
  const rule = toPatternRule(pattern, rules);
  const grammar = await runtime.llama.createGrammar({ grammar: rules.toText(rule) });
  const test = Reflect.get(grammar, '_testText') as (text: string) => boolean;
  return (text) => test.call(grammar, text);
}

describe('toPatternRule', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['^[A-Z]{2}-\\d{3,5}$', ['AB-123', 'ZZ-00000'], ['AB-12', 'ab-123', 'AB-123456', 'xAB-123']],
    ['^(red|green|blue)$', ['red', 'green', 'blue'], ['', 're', 'redgreen']],
    ['^a$|^b+$', ['a', 'b', 'bbb'], ['ab', '']],
    ['^\\w+(?:\\.\\w+)*$', ['a', 'a.b_c.D9'], ['.a', 'a.', 'a b']],
    ['^[^0-9"]+$', ['abc', 'a b', 'ü🙂'], ['a1', '']],
    ['^[a-c\\-x]?y{2}?$', ['ayy', '-yy', 'xyy', 'yy'], ['dyy', 'ay']],
    ['\\$\\d+\\.\\d{2}', ['$5.00'], ['5.00', '$5']],
    ['^\\u0041\\x42$', ['AB'], ['ab']],
    ['^(\\d{1,3}\\.){3}\\d{1,3}$', ['1.22.333.4'], ['1.2.3', '1.2.3.4444']],
    ['^[a-z]{1,1000}$', ['a', 'a'.repeat(1000)], ['', 'a'.repeat(1001)]],
    ['^[a-z]+(-[a-z]+)*$', ['a', 'ab-cd-e'], ['-a', 'a-']],
    ['^([a-z]{1,20} ){1,10}$', ['a bc '], ['a', 'abc']],
    ['^.{0,2}$', ['', 'a', 'é🙂'], ['abc']],
    ['^a\\/b$', ['a/b'], ['a\\/b']],
    ['^[\\s\\S]$', ['x', ' '], ['']],
  ])('%s', async (pattern, good, bad) => {
    const matches = await openMatcher(pattern);
    const reference = new RegExp(pattern, 'u');
    for (const text of good) expect([text, matches(text), reference.test(text)]).toEqual([text, true, true]);
    for (const text of bad) expect([text, matches(text)]).toEqual([text, false]);
  });

  it('writes quotes, backslashes and line ends as JSON escapes', async () => {
    const matches = await openMatcher('^["\\\\\\n]+$');
    expect(matches(String.raw`\"\\\n`)).toBe(true);
    expect(matches('"')).toBe(false);
    expect(/^["\\\n]+$/.test(JSON.parse(String.raw`"\"\\\n"`) as string)).toBe(true);
  });

  it.each(['(?=a)', '(?<n>a)', 'a**', '[b-a]', '[a', '(a', 'a)', '\\p{L}', '\\bword\\b', '(a)\\1', 'a{2', 'a{3,2}', 'a{9999}', '*a', 'a$b', 'a^b', '[\\x00]', '(a*)*', '(a?|b){2,5}', '((a{1,100}){1,100}){1,100}', '((a|aa|aaa){1,10}){1,100}', '(a+){1,1000}', '(.{1,30}){1,128}', '('.repeat(40)])('refuses %s', (pattern) => {
    expect(() => toPatternRule(pattern, new Rules())).toThrow(SchemaProblem);
  });
});
