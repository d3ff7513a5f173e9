import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Rules } from './gbnf.ts';
import { openLlamaRuntime } from '#engine/llamaRuntime.ts';
import { writeAutomaton } from './patternGrammar.ts';
import { readPattern } from '#core/schema/patternRules.ts';
import { SchemaProblem, type Automaton } from '#core/schema/schemaNode.ts';
import { WorkBudget } from '#core/schema/workBudget.ts';

const runtime = await openLlamaRuntime('off');

/** Whether llama.cpp's own grammar parser accepts the whole text. */
async function openMatcher(pattern: string): Promise<(text: string) => boolean> {
  const rules = new Rules();
  const rule = writeAutomaton(readPattern(pattern, rules.budget), rules);
  const grammar = await runtime.llama.createGrammar({ grammar: rules.toText(rule) });
  const test = Reflect.get(grammar, '_testText') as (text: string) => boolean;
  return (text) => test.call(grammar, text);
}

/** Follows a text through the automaton. */
function accepts({ states }: Automaton, text: string): boolean {
  let at: number | undefined = 0;
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    at =
      at === undefined
        ? undefined
        : states[at]?.moves.find(({ ranges }) => ranges.some(([low, high]) => low <= code && code <= high))?.to;
  }
  return at !== undefined && states[at]?.isEnd === true;
}

describe('readPattern', () => {
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
    ['^(a*)*$', ['', 'aaa'], ['b']],
    ['^(a?|b){2,5}$', ['', 'ab', 'bbbbb'], ['bbbbbb', 'c']],
    ['^(a+){1,300}$', ['a', 'a'.repeat(2000)], ['', 'b']],
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

  it.each<[string, readonly string[], readonly string[]]>([
    ['[ab]*'.repeat(120), ['', 'abab'], ['c']],
    ['[ab]*'.repeat(2000), ['', 'abab'], ['c']],
    ['(a|b|ab)*'.repeat(500), ['', 'abab'], ['c']],
    ['a?'.repeat(200) + 'a'.repeat(200), ['a'.repeat(200), 'a'.repeat(400)], ['a'.repeat(199), 'a'.repeat(401)]],
  ])('keeps one reading of %.20s…', async (pattern, good, bad) => {
    const { states } = readPattern(pattern, new WorkBudget());
    for (const { moves } of states) {
      const ranges = moves.flatMap((move) => move.ranges).sort((one, two) => one[0] - two[0]);
      expect(ranges.every(([low], index) => index === 0 || low > (ranges[index - 1]?.[1] ?? 0))).toBe(true);
    }
    const matches = await openMatcher(pattern);
    for (const text of good) expect(matches(text)).toBe(true);
    for (const text of bad) expect(matches(text)).toBe(false);
  });

  it.each<[string, string, RegExp]>([
    ['counts within counts', '((a{1,100}){1,100}){1,100}', /multiplied out/],

    ['a long pattern', 'a{1}'.repeat(15_000), /at most 16384/],
    ['many states', '(.{1,30}){1,128}', /2048 states|too much work/],
    ['what must be remembered', '.*[ab].{30}', /2048 states/],
    ['many ways', '(.*a.*b)'.repeat(500), /too much work/],
  ])('refuses %s with the reason', (_what, pattern, reason) => {
    let problem: unknown = null;
    try {
      readPattern(pattern, new WorkBudget());
    } catch (error) {
      problem = error;
    }
    expect(problem).toBeInstanceOf(SchemaProblem);
    expect(String(problem)).toMatch(reason);
  });

  it('matches what a regular expression matches', () => {
    const letter = fc.constantFrom('a', 'b', '[ab]', '[^a]', 'c');
    const { expression } = fc.letrec<{ expression: string }>((tie) => ({
      expression: fc.oneof(
        { maxDepth: 4 },
        letter,
        fc.tuple(tie('expression'), tie('expression')).map((parts) => parts.join('')),
        fc.tuple(tie('expression'), tie('expression')).map((parts) => `(${parts.join('|')})`),
        fc
          .tuple(tie('expression'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{0,2}', '{2,}'))
          .map(([part, count]) => `(${part})${count}`),
      ),
    }));
    const word = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 7 }).map((chars) => chars.join(''));
    fc.assert(
      fc.property(expression, fc.array(word, { minLength: 5, maxLength: 5 }), (pattern, words) => {
        const automaton = readPattern(pattern, new WorkBudget());
        for (const text of words)
          expect([pattern, text, accepts(automaton, text)]).toEqual([
            pattern,
            text,
            new RegExp(`^(?:${pattern})$`, 'u').test(text),
          ]);
      }),
      { numRuns: 150 },
    );
  });

  it.each([
    '(?=a)',
    '(?<n>a)',
    'a**',
    '[b-a]',
    '[a',
    '(a',
    'a)',
    '\\p{L}',
    '\\bword\\b',
    '(a)\\1',
    'a{2',
    'a{3,2}',
    'a{9999}',
    '*a',
    'a$b',
    'a^b',
    '[\\x00]',
    '('.repeat(40),
  ])('refuses %s', (pattern) => {
    expect(() => readPattern(pattern, new WorkBudget())).toThrow(SchemaProblem);
  });
});
