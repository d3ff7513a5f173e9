import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillTemplate, findMissing, findVariables } from './template.ts';

describe('findVariables', () => {
  it.each([
    ['Hello {{name}}', ['name']],
    ['{{ a }} {{b}} {{a}}', ['a', 'b']],
    ['{{größe}} {{order.id}} {{x-y}} {{_1}}', ['größe', 'order.id', 'x-y', '_1']],
    ['{ {a}} {{}} {{1a}} {{a b}} {{a}', []],
    ['{"a": {"b": {"c": 1}}}', []],
    [`{{${'a'.repeat(64)}}}`, ['a'.repeat(64)]],
    [`{{${'a'.repeat(65)}}}`, []],
    ['{{__proto__}} {{constructor}}', ['__proto__', 'constructor']],
  ])('%j', (text, names) => expect(findVariables([text])).toEqual(names));

  it('collects over texts', () => expect(findVariables(['{{a}}', 'x', '{{b}}{{a}}'])).toEqual(['a', 'b']));
});

describe('fillTemplate', () => {
  const values = new Map([
    ['name', 'Ada'],
    ['loop', '{{name}}'],
    ['money', '$& $1 $$'],
    ['empty', ''],
  ]);

  it.each([
    ['Hello {{name}}, {{ name }}', 'Hello Ada, Ada'],
    ['{{unknown}} stays', '{{unknown}} stays'],
    ['{{loop}}', '{{name}}'],
    ['{{money}}', '$& $1 $$'],
    ['[{{empty}}]', '[]'],
    ['{{toString}}', '{{toString}}'],
  ])('%j becomes %j', (text, filled) => expect(fillTemplate(text, values)).toBe(filled));

  it('leaves a text without variables alone', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(findVariables([text]).length === 0);
        expect(fillTemplate(text, values)).toBe(text);
      }),
    );
  });
});

it('names what is missing; empty is not missing', () => {
  expect(
    findMissing(
      ['{{a}} {{b}} {{c}}'],
      new Map([
        ['a', 'x'],
        ['b', ''],
      ]),
    ),
  ).toEqual(['c']);
});
