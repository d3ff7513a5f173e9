import { describe, expect, it } from 'vitest';
import { parseAnswerJson } from './answerJson.ts';
import { openSchemaCheck } from './schemaCheck.ts';

const TICKET = {
  type: 'object',
  properties: {
    category: { enum: ['billing', 'shipping'] },
    tags: { type: 'array', items: { type: 'string', maxLength: 3 } },
    order: { $ref: '#/$defs/order' },
  },
  required: ['category'],
  additionalProperties: false,
  $defs: { order: { type: 'object', properties: { id: { type: 'integer', minimum: 1 } }, required: ['id'] } },
};

const pathsOf = (text: string, schema: unknown = TICKET): readonly string[] => {
  const found = openSchemaCheck(schema)(text);
  return found.state === 'invalid' ? found.violations.map(({ path, keyword }) => `${path} ${keyword}`) : [found.state];
};

describe('an answer against a schema', () => {
  it.each<[string, readonly string[]]>([
    ['{"category":"billing"}', ['valid']],
    ['```json\n{"category":"billing"}\n```', ['fenced']],
    ['```json\n{"category":"other"}\n```', ['/category enum']],
    ['{"category":"other"}', ['/category enum']],
    ['{}', [' required']],
    ['{"category":"billing","tags":["a","long",3]}', ['/tags/1 maxLength', '/tags/2 type']],
    ['{"category":"billing","order":{"id":0}}', ['/order/id minimum']],
    ['{"category":"billing","order":{}}', ['/order required']],
    ['[]', [' type']],
    ['{"category":"billing"', ['not-json']],
    ['', ['not-json']],
    ['Sure! {"category":"billing"}', ['not-json']],
  ])('%s', (text, expected) => expect(pathsOf(text)).toEqual(expect.arrayContaining([...expected])));

  it('names a property that the schema has no room for', () => {
    const found = openSchemaCheck(TICKET)('{"category":"billing","x":1}');
    expect(found.state).toBe('invalid');
    expect(JSON.stringify(found)).toContain('/x');
    expect(JSON.stringify(found)).toContain('The schema does not allow this.');
  });

  it('knows the schemas true and false', () => {
    expect(openSchemaCheck(true)('1').state).toBe('valid');
    expect(openSchemaCheck(false)('1').state).toBe('invalid');
  });

  it.each<[unknown, unknown, string]>([
    [{ type: 'object' }, 1, 'This is of type number; the schema asks for "object".'],
    [{ type: ['string', 'null'] }, 1, 'This is of type number; the schema asks for "string", "null".'],
    [{ required: ['a'] }, {}, 'The property "a" is missing.'],
    [{ enum: ['a', 1] }, 2, 'This must be one of ["a",1].'],
    [{ const: 'a' }, 2, 'This must be "a".'],
    [{ const: { a: 1 } }, 2, 'This must be {"a":1}.'],
    [{ not: {} }, 2, 'The schema forbids this value.'],
    [{ oneOf: [{}, {}] }, 2, 'This matches 2 of the schema’s alternatives, but must match only one.'],
    [{ pattern: '^a' }, 'b', 'The text does not match the pattern.'],
    [{ maxLength: 2 }, 'abc', 'The text is too long: 3 characters, the limit is 2.'],
    [{ minItems: 2 }, [1], 'The list has too few entries: 1, the limit is 2.'],
    [{ uniqueItems: true }, [1, 1], 'Entries 0 and 1 (from 0) are the same.'],
    [{ maxProperties: 1 }, { a: 1, b: 2 }, 'This has more than 1 properties.'],
    [false, 1, 'The schema does not allow this.'],
  ])('%j says of %j in words: %s', (schema, value, words) => {
    const found = openSchemaCheck(schema)(JSON.stringify(value));
    expect(found.state === 'invalid' && found.violations.map(({ message }) => message)).toContain(words);
  });

  it('bounds what it reports', () => {
    const found = openSchemaCheck({ type: 'array', items: { type: 'string' } })(
      JSON.stringify(Array.from({ length: 500 }, () => 1)),
    );
    expect(found.state === 'invalid' && found.violations.length).toBe(50);
  });

  it('leaves the prototype alone', () => {
    openSchemaCheck({ properties: { __proto__: { type: 'string' } } })('{"__proto__":{"polluted":1}}');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('a pattern that may take for ever', () => {
  const schema = { properties: { a: { items: { pattern: '^(a+)+$' } } } };
  it('is not tried where nothing could stop it', () =>
    expect(openSchemaCheck(schema)(`{"a":["${'a'.repeat(40)}!"]}`).state).toBe('no-check'));
  it('is tried by who can be stopped', () =>
    expect(openSchemaCheck(schema, { canBeStopped: true })('{"a":["aa!"]}').state).toBe('invalid'));
  it('is also found among names', () =>
    expect(openSchemaCheck({ patternProperties: { '(x|y)*z': {} } })('{}').state).toBe('no-check'));
  it('a plain one is matched, in answers of a bounded length', () => {
    const check = openSchemaCheck({ pattern: '^[ab]+$' });
    expect([check('"ab"').state, check('"c"').state, check(`"${'a'.repeat(20_000)}"`).state]).toEqual([
      'valid',
      'invalid',
      'no-check',
    ]);
  });
});

describe('a schema that is none', () => {
  it.each([null, 1, 'x', [[]]])('%j', (schema) => expect(openSchemaCheck(schema)('1').state).toBe('no-check'));
  it('a reference to nowhere', () => expect(openSchemaCheck({ $ref: '#/$defs/none' })('1').state).toBe('no-check'));
  it('a pattern that is no expression', () =>
    expect(openSchemaCheck({ type: 'string', pattern: '(' })('"a"').state).toBe('no-check'));
});

it('reads JSON alone or in a fence, nothing else', () => {
  expect(parseAnswerJson(' {"a":1}\n')).toEqual({ ok: true, value: { a: 1 }, isFenced: false });
  expect(parseAnswerJson('```\n[1]\n```')).toEqual({ ok: true, value: [1], isFenced: true });
  expect(parseAnswerJson('text ```json\n1\n```').ok).toBe(false);
});
