import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { toAnswerValue, toJsonKey, toValueText } from './jsonValues.ts';

it.each([
  ['the order of names', '{"a":1,"b":[{"c":2,"d":3}]}', '{"b":[{"d":3,"c":2}],"a":1}'],
  ['white space', '{"a":[1,2]}', ' {\n  "a": [ 1,\t2 ]\n}\n'],
  ['the notation of numbers', '{"a":100,"b":0.5,"c":0}', '{"a":1e2,"b":0.50,"c":-0.0}'],
  ['how many digits a fraction is printed with', '[0.29999999999999999,1.10000000000000009]', '[0.3,1.1]'],
  ['the notation of long numbers', '[12345678901234567890]', '[1234567890123456789.0e1]'],
  ['escapes', '{"a":"é/"}', String.raw`{"a":"\u00e9\/"}`],
  ['the start of a code fence', '```json\n{"a":1}\n```', '```\n{"a":1.0}\n```'],
])('JSON answers are equal whatever %s', (_, a, b) => {
  expect(toJsonKey(a)).not.toBeNull();
  expect(toJsonKey(a)).toBe(toJsonKey(b));
});

it.each([
  ['a number and its text', '{"a":1}', '{"a":"1"}'],
  ['null and no field', '{"a":null}', '{}'],
  ['lists in another order', '[1,2]', '[2,1]'],
  ['an object and a list', '{"0":1}', '[1]'],
  ['ids that a double rounds to one number', '{"id":12345678901234567890}', '{"id":12345678901234567891}'],
  ['such an id and its text', '{"id":12345678901234567890}', '{"id":"1234567890123456789e1"}'],
  ['numbers beyond a double', '[1e400]', '[1e401]'],
  ['JSON in a code fence and bare JSON', '```json\n{"a":1}\n```', '{"a":1}'],
])('%s differ', (_, a, b) => expect(toJsonKey(a)).not.toBe(toJsonKey(b)));

it.each(['', '1.0', '"a"', 'true', '{"a":1', '{"a":1} and more', 'Hello', `${'['.repeat(200)}${']'.repeat(200)}`])(
  '%j is compared as text',
  (text) => expect(toJsonKey(text)).toBeNull(),
);

it('gives any JSON the key of its value, however it is written', () => {
  fc.assert(
    fc.property(fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue())), (value) => {
      fc.pre(toAnswerValue(JSON.stringify(value)) !== null);
      expect(toJsonKey(JSON.stringify(value, null, 2))).toBe(toJsonKey(JSON.stringify(value)));
    }),
  );
});

it('shows a long number with all its digits', () => {
  const { value } = toAnswerValue('{"id": 12345678901234567891, "a": [0.5]}') ?? {};
  expect(toValueText(value)).toBe('{"id":12345678901234567891,"a":[0.5]}');
  expect(toValueText((value as { id: unknown }).id)).toBe('12345678901234567891');
});
