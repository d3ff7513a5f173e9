import { describe, expect, it } from 'vitest';
import { REQUEST_LIMITS } from '#core/contract/limits.ts';
import { SCHEMA_EXAMPLES, TOOL_EXAMPLES } from './jsonExamples.ts';
import { findSchemaFaults } from './schemaFaults.ts';
import { findSchemaTextFaults } from './textFaults.ts';
import { findToolFaults } from './toolFaults.ts';

const faultTexts = (schema: unknown): readonly string[] =>
  findSchemaFaults(schema).map(
    ({ path, message, isWarning }) => `${path.join('/')}: ${isWarning ? '(warning) ' : ''}${message}`,
  );

describe('a schema', () => {
  it.each<[object, string]>([
    [
      { type: 'text' },
      'type: “type” must be one of array, boolean, integer, null, number, object, string, or a list of them.',
    ],
    [
      { type: [] },
      'type: “type” must be one of array, boolean, integer, null, number, object, string, or a list of them.',
    ],
    [{ properties: { a: { enum: [] } } }, 'properties/a/enum: “enum” must be a list with at least one value.'],
    [{ items: { minLength: -1 } }, 'items/minLength: “minLength” must be a whole number, 0 or more.'],
    [{ anyOf: [{}, { pattern: '(' }] }, 'anyOf/1/pattern: “pattern” must be a regular expression.'],
    [{ properties: [] }, 'properties: “properties” must be an object with a schema for each name.'],
    [{ required: 'a' }, 'required: “required” must be a list of names.'],
    [{ $defs: { x: { uniqueItems: 1 } } }, '$defs/x/uniqueItems: “uniqueItems” must be true or false.'],
    [
      { properties: { a: { desciption: 'x' } } },
      'properties/a/desciption: (warning) “desciption” is not a keyword of JSON Schema. It will have no effect, or ' +
        'be refused.',
    ],
    [{ $ref: 5 }, '$ref: “$ref” must be a text.'],
    [
      { properties: { a: {} }, required: ['a', 'b'] },
      'required/1: (warning) “b” is required, but not among the properties.',
    ],
  ])('%j', (schema, expected) => expect(faultTexts(schema)).toEqual([expected]));

  it.each<[object, string, string]>([
    [{ $ref: '#/$defs/none' }, '$ref', 'The reference "#/$defs/none" leads to nothing. Define it under $defs.'],
    [{ $ref: '#' }, '', 'The reference "#" leads only back to itself. Describe a value there.'],
    [{ items: { $ref: 'https://example.com/a' } }, 'items/$ref', 'The reference "https://example.com/a" leads out'],
    [{ properties: { a: { type: 'integer', minimum: 5, maximum: 3 } } }, 'properties/a/minimum', 'No number lies'],
    [{ type: 'string', minLength: 5, maxLength: 3 }, 'minLength', '"minLength" is larger than "maxLength"'],
    [{ items: { pattern: '^(?=.*a)b' } }, 'items/pattern', 'The pattern "^(?=.*a)b" uses a lookaround'],
    [{ allOf: [{ type: 'object' }, { not: {} }] }, 'allOf/1/not', 'The keyword "not" can\'t be enforced.'],
    [{ description: 'é'.repeat(REQUEST_LIMITS.schemaBytes / 2) }, '', 'The schema has 6'],
  ])('has a warning for what the studio’s own engine refuses: %#', (schema, path, message) =>
    expect(faultTexts(schema)).toEqual([
      expect.stringContaining(`${path}: (warning) The studio’s own engine refuses this. ${message}`) as string,
    ]),
  );

  it('may have very long chains of references', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 2000 }, (_, at) => [`d${at}`, at === 1999 ? {} : { $ref: `#/$defs/d${at + 1}` }]),
    );
    expect(faultTexts({ $defs, $ref: '#/$defs/d0' }).join()).toContain('references follow one another');
  });

  it('may refer to what it defines, and may have a property called $ref', () => {
    expect(
      faultTexts({
        $defs: { node: { properties: { next: { $ref: '#/$defs/node' } } } },
        properties: { $ref: { type: 'string' }, head: { $ref: '#/$defs/node' } },
      }),
    ).toEqual([]);
  });

  it('may have a property of any name', () => {
    expect(
      faultTexts(
        JSON.parse(
          '{"type":"object","properties":{"__proto__":{"type":"string"},"type":{"enum":[1]},"foo":true},' +
            '"additionalProperties":false}',
        ),
      ),
    ).toEqual([]);
  });

  it.each([
    { const: { type: 'no type' }, default: { $ref: 1 } },
    { enum: [{ items: 5 }], examples: [{ minimum: 'x' }] },
  ])('may hold data that looks like a schema: %j', (schema) => expect(faultTexts(schema)).toEqual([]));

  it('has 50 faults at most, and one for too much depth', () => {
    const deep = Array.from({ length: 40 }).reduce<object>((inner) => ({ items: inner }), {});
    expect(faultTexts(deep)).toEqual([expect.stringContaining('is nested deeper than') as string]);
    const odd = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x${index}`, 1]));
    expect(faultTexts(odd)).toHaveLength(50);
  });

  it.each(['', ' \n'])('that is not written yet (%j) has no faults', (text) =>
    expect(findSchemaTextFaults(text)).toEqual([]),
  );

  it('has each fault at its line', () => {
    const text = '{\n  "type": "object",\n  "nope": {\n    "a": 1 } }';
    expect(findSchemaTextFaults(text)).toMatchObject([
      { line: 3, isWarning: true, from: text.indexOf('{\n    "a"'), to: text.indexOf('{\n    "a"') + 1 },
    ]);
    expect(findSchemaTextFaults('{\n "items": {\n  "$ref":\n "#/$defs/none" } }')).toMatchObject([
      { line: 4, isWarning: true },
    ]);
    expect(findSchemaTextFaults('{\n "a": }')).toMatchObject([{ line: 2, message: 'Not valid JSON from here on.' }]);
    expect(findSchemaTextFaults('{\n "a": [')).toMatchObject([
      { line: 2, message: 'The JSON ends too early: something is still open.' },
    ]);
    expect(findSchemaTextFaults('[]')).toMatchObject([{ line: 1, message: 'The schema must be an object, { … }.' }]);
  });
});

describe('tools', () => {
  const tool = (made: object, more: object = {}) => ({ type: 'function', function: { name: 'f', ...made }, ...more });
  const faultsOf = (...tools: readonly unknown[]): readonly string[] =>
    findToolFaults(JSON.stringify(tools, null, 1)).map(
      ({ message, isWarning }) => `${isWarning ? '(warning) ' : ''}${message}`,
    );

  it.each<[readonly unknown[], readonly string[]]>([
    [[tool({})], []],
    [[tool({ parameters: {} })], []],
    [[tool({ name: 'a b' })], ['[0].function.name must be 1 to 64 letters, digits, "_", "." or "-".']],
    [[tool({}), { type: 'function', function: {} }], ['[1].function.name is required.']],
    [[tool({}), 5], ['[1] must be an object.']],
    [[{ type: 'retrieval' }], ['[0].type must be "function".', '[0].function is required.']],
    [
      [tool({ strict: 'yes', description: 1 })],
      ['[0].function.description must be a text.', '[0].function.strict must be true or false.'],
    ],
    [[tool({ parameters: [] })], ['[0].function.parameters must be an object.']],
    [
      [tool({ parameters: { properties: {} } })],
      ['[0].function.parameters must have "type": "object": arguments are passed by name.'],
    ],
    [
      [tool({ parameters: { type: 'object', properties: { a: { type: 'int' } } } })],
      ['“type” must be one of array, boolean, integer, null, number, object, string, or a list of them.'],
    ],
    [
      [
        tool({}),
        tool({
          name: 'g',
          parameters: {
            type: 'object',
            $defs: { a: {} },
            properties: { a: { $ref: '#/$defs/a' }, b: { $ref: '#/$defs/b' } },
          },
          strict: true,
        }),
      ],
      [
        '(warning) The studio’s own engine refuses this. The reference "#/$defs/b" leads to nothing. Define it under ' +
          '$defs.',
      ],
    ],
    [
      [tool({ arguments: 1 })],
      ["(warning) [0].function.arguments is not a field of OpenAI's tools. Services may refuse or ignore it."],
    ],
    [[tool({}), tool({})], ['The name “f” is taken by an earlier tool. Give each tool a name of its own.']],
  ])('%j', (tools, expected) => expect(faultsOf(...tools).toSorted()).toEqual(expected.toSorted()));

  it('are a list, of a limited length', () => {
    expect(findToolFaults('{}')).toMatchObject([{ message: 'The tools must be a list, [ … ].' }]);
    expect(
      faultsOf(...Array.from({ length: REQUEST_LIMITS.tools + 1 }, (_, index) => tool({ name: `f${index}` }))),
    ).toEqual([`There can be ${REQUEST_LIMITS.tools} tools at most; these are ${REQUEST_LIMITS.tools + 1}.`]);
  });

  it('have their faults in the order of the text, each at its line', () => {
    const text =
      '[\n{"type":"function","function":{"name":"f",\n"parameters":{"type":"object","x":1}}},\n' +
      '{"type":"function","function":{\n"name":"f"}}]';
    expect(findToolFaults(text).map(({ line, isWarning }) => [line, isWarning])).toEqual([
      [3, true],
      [5, false],
    ]);
  });
});

it('examples have no faults', () => {
  for (const { text } of TOOL_EXAMPLES) expect(findToolFaults(text)).toEqual([]);
  for (const { text } of SCHEMA_EXAMPLES) expect(findSchemaTextFaults(text)).toEqual([]);
});
