import * as fc from 'fast-check';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '#core/contract/anyCharacter.fixture.ts';
import { toPython, toTypeScript } from './codeLiterals.ts';

/** Evaluates the literal; only in tests, and only of what was just written. */
const evaluate = (code: string): unknown => runInNewContext(`(${code})`);

describe('TypeScript', () => {
  it('gives any JSON back', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: anyCharacter }), (value) => {
        expect(evaluate(toTypeScript(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('keeps hostile texts and keys', () => {
    const value = { __proto__x: 1, "a'b": '`${1}` \\ " \n\r\t\0 \u2028 🚀 \uD800', $ok: [true, null, -0.5, 1e21] };
    expect(evaluate(toTypeScript(value))).toEqual(JSON.parse(JSON.stringify(value)));
    const own = evaluate(toTypeScript(JSON.parse('{"__proto__":{"a":1}}'))) as object;
    expect(Object.keys(own)).toEqual(['__proto__']);
  });

  it('leaves out what is undefined', () => expect(toTypeScript({ a: undefined, b: 1 })).toBe('{\n  b: 1,\n}'));
});

describe('Python', () => {
  it.each([
    [null, 'None'],
    [true, 'True'],
    [false, 'False'],
    [1e-7, '1e-7'],
    ['a"b\\c\n', '"a\\"b\\\\c\\n"'],
    ['🚀 é', '"🚀 é"'],
    ['\uD800', '"\\ud800"'],
    ['\0\u007f', '"\\u0000\\x7f"'],
    [[], '[]'],
    [{}, '{}'],
    [{ a: [1, 'x'] }, '{\n  "a": [\n    1,\n    "x",\n  ],\n}'],
  ])('%j is %s', (value, code) => expect(toPython(value)).toBe(code));
});
