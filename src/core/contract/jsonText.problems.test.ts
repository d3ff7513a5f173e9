// Where and why a text is not JSON, and how deeply it nests, against what JSON.parse says.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJson } from './jsonText.fixture.ts';
import { findJsonProblem, isTextDeeperThan } from './jsonText.ts';

/** Depth by recursion, for values small enough. */
function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('isTextDeeperThan', () => {
  it.each([
    ['1', 0, false],
    ['[]', 0, true],
    ['[]', 1, false],
    ['[[1],{"a":[]}]', 2, true],
    ['[[1],{"a":[]}]', 3, false],
    ['"[[[["', 0, false],
    ['"\\"[[["', 0, false],
    ['"\\\\"', 0, false],
    ['["\\\\",[1]]', 1, true],
    ['"never closed [[[', 0, false],
    [']]]][', 0, false],
    ['', 0, false],
  ])('%s beyond %i: %s', (text, limit, expected) => {
    expect(isTextDeeperThan(text, limit)).toBe(expected);
  });

  it('counts as a parser would', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const depth = depthOf(JSON.parse(text));
        expect(isTextDeeperThan(text, depth)).toBe(false);
        if (depth > 0) expect(isTextDeeperThan(text, depth - 1)).toBe(true);
      }),
    );
  });

  it('goes through megabytes of brackets without a stack', () => {
    expect(isTextDeeperThan('['.repeat(4_000_000), 100)).toBe(true);
    expect(isTextDeeperThan('[]'.repeat(4_000_000), 100)).toBe(false);
  });
});

describe('findJsonProblem', () => {
  it.each([
    ['{"a" 1}', 'line 1, column 6', '":"'],
    ['{"a":1 "b":2}', 'line 1, column 8', '","'],
    ['{\n  "a": [1,\n    2,]\n}', 'line 3, column 7', 'a value'],
    ['{a:1}', 'line 1, column 2', 'a name in double quotes'],
    ['{"a":1,}', 'line 1, column 8', 'a name in double quotes'],
    ['[1 2]', 'line 1, column 4', '","'],
    ['[}', 'line 1, column 2', 'a value or "]"'],
    ['{]', 'line 1, column 2', 'a name in double quotes or "}"'],
    ['1 2', 'line 1, column 3', 'the end'],
    ['{"a":', 'ends at line 1, column 6', 'a value'],
    ['["a"', 'ends at line 1, column 5', '","'],
    ['"tab\there"', 'line 1, column 1', 'a value'],
    ['"\\x"', 'line 1, column 1', 'a value'],
    ['01', 'line 1, column 2', 'the end'],
    ['+1', 'line 1, column 1', 'a value'],
    ['.5', 'line 1, column 1', 'a value'],
    ['undefined', 'line 1, column 1', 'a value'],
    ["{'a':1}", 'line 1, column 2', 'a name in double quotes'],
    ['\ufeff{}', 'line 1, column 1', 'a value'],
    ['{"a":1}}', 'line 1, column 8', 'the end'],
  ])('%s', (text, place, expected) => {
    const problem = findJsonProblem(text);
    expect(problem).toContain(place);
    expect(problem).toContain(expected);
  });

  it('finds none in JSON', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(findJsonProblem(text)).toBeNull();
      }),
    );
  });

  it('agrees with the parser about JSON with one character changed', () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', '"', '\\', '{', '}', '[', ']', ',', ':', '0', '-', 'e', ' ', '\n', '\u0001', 'x'),
        (text, seed, character) => {
          const at = seed % (text.length + 1);
          const changed = text.slice(0, at) + character + text.slice(at + 1);
          expect(findJsonProblem(changed) === null).toBe(isJson(changed));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['a long string', `"${'a'.repeat(8_000_000)}`],
    ['a long number', `${'1'.repeat(2_000_000)}x`],
    ['many escapes', `"${'\\n'.repeat(2_000_000)}\\`],
    ['many levels', `${'[{"a":'.repeat(500_000)}!`],
  ])('goes through %s without a stack', (_, text) => {
    expect(findJsonProblem(text)).not.toBeNull();
  });

  it('finds none 100,000 brackets deep', () => {
    expect(findJsonProblem(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toBeNull();
  });

  it('shows only the start of what is wrong', () => {
    expect(findJsonProblem(`!${'x'.repeat(1_000)}`)?.length).toBeLessThan(120);
  });
});
