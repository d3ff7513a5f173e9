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
    [{ $ref: '#/$defs/none' }, '$ref: The reference "#/$defs/none" leads to nothing. Define it under $defs.'],
    [
      { properties: { a: { items: { $ref: '#/$defs/b' } } }, $defs: { a: {} } },
      'properties/a/items/$ref: The reference "#/$defs/b" leads to nothing. Define it under $defs.',
    ],
    [
      { anyOf: [{ $ref: 'https://example.com/a' }, { items: { $ref: '#' } }] },
      'anyOf/0/$ref: (warning) The reference "https://example.com/a" leads out of the schema. Only "#/$defs/…" ' +
        'and other paths within it can be followed.',
    ],
    [{ $ref: 5 }, '$ref: “$ref” must be a text.'],
    [
      { properties: { a: {} }, required: ['a', 'b'] },
      'required/1: (warning) “b” is required, but not among the properties.',
    ],
  ])('%j', (schema, expected) => expect(faultTexts(schema)).toEqual([expected]));

  const itself = (ref: string): string => `The reference "${ref}" leads only back to itself. Describe a value there.`;
  it.each<[object, readonly string[]]>([
    [{ $ref: '#' }, [`$ref: ${itself('#')}`]],
    [{ anyOf: [{ type: 'string' }, { $ref: '#' }] }, [`anyOf/1/$ref: ${itself('#')}`]],
    [
      {
        properties: { a: { $ref: '#/$defs/b' } },
        $defs: { b: { allOf: [{ $ref: '#/$defs/c' }] }, c: { $ref: '#/$defs/b' }, d: { $ref: '#/$defs/e' }, e: {} },
      },
      [
        `properties/a/$ref: ${itself('#/$defs/b')}`,
        `$defs/b/allOf/0/$ref: ${itself('#/$defs/c')}`,
        `$defs/c/$ref: ${itself('#/$defs/b')}`,
      ],
    ],
  ])('must not have references that lead only back to themselves: %j', (schema, expected) =>
    expect(faultTexts(schema)).toEqual(expected),
  );

  it('may have a very long chain of references', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 2000 }, (_, at) => [`d${at}`, at === 1999 ? {} : { $ref: `#/$defs/d${at + 1}` }]),
    );
    expect(faultTexts({ $defs, $ref: '#/$defs/d0' })).toEqual([]);
  });

  it('may be too large, also with a long chain of references', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, at) => [`d${at}`, { $ref: `#/$defs/d${at + 1}` }]),
    );
    expect(faultTexts({ $ref: '#/$defs/d0', $defs: { ...chain, d20000: {} } }).join()).toContain(
      'is the most that is taken',
    );
  });

  it('may have bounds for `contains` without `contains`', () =>
    expect(faultTexts({ type: 'array', minContains: 5, maxContains: 3 })).toEqual([]));

  const COUNTS = [
    ['string', 'Length'],
    ['array', 'Items'],
    ['array', 'Contains'],
    ['object', 'Properties'],
  ] as const;
  it.each(COUNTS)('of the type %s must have bounds of %s that a value can satisfy', (type, what) => {
    const bounds = { [`min${what}`]: 5, [`max${what}`]: 3, ...(what === 'Contains' && { contains: {} }) };
    const message = (mark = '') =>
      `min${what}: ${mark}“min${what}” is larger than “max${what}”, so nothing can satisfy both. Correct one of them.`;
    // Values of another type are allowed all the same.
    expect([
      faultTexts({ type, ...bounds }),
      faultTexts(bounds),
      faultTexts({ type: ['null', type], ...bounds }),
    ]).toEqual([[message()], [message('(warning) ')], [message('(warning) ')]]);
    expect([
      faultTexts({ type: 'null', ...bounds }),
      faultTexts({ type, [`min${what}`]: 3, [`max${what}`]: 3 }),
      faultTexts({ type, [`min${what}`]: 3 }),
    ]).toEqual([[], [], []]);
  });

  it.each<[object, string | null]>([
    [{ type: 'number', minimum: 5, maximum: 3 }, 'minimum: No number'],
    [{ minimum: 5, maximum: 3 }, 'minimum: (warning) No number'],
    [{ type: 'integer', minimum: 5, maximum: 3 }, 'minimum: No whole number'],
    [{ type: ['integer', 'null'], minimum: 1.2, maximum: 1.8 }, 'minimum: (warning) No whole number'],
    [{ type: ['integer', 'number'], minimum: 1.2, maximum: 1.8 }, null],
    [{ type: 'number', minimum: 3, maximum: 3 }, null],
    [{ type: 'number', exclusiveMinimum: 3, maximum: 3 }, 'exclusiveMinimum: No number'],
    [{ type: 'number', minimum: 3, exclusiveMaximum: 3 }, 'minimum: No number'],
    [
      { type: 'number', minimum: 1, exclusiveMinimum: 4, maximum: 9, exclusiveMaximum: 4 },
      'exclusiveMinimum: No number',
    ],
    [{ type: 'integer', exclusiveMinimum: 3, exclusiveMaximum: 4 }, 'exclusiveMinimum: No whole number'],
    [{ type: 'number', exclusiveMinimum: 3, exclusiveMaximum: 4 }, null],
    [{ type: 'string', minimum: 5, maximum: 3 }, null],
  ])('must have bounds that a number can satisfy: %j', (schema, expected) =>
    expect(faultTexts(schema)).toEqual(
      expected === null ? [] : [`${expected} lies between the two bounds. Correct one of them.`],
    ),
  );

  it.each<[string, string | null]>([
    ['^(?=.*a)b', 'a lookaround'],
    ['(?!a)b', 'a lookaround'],
    ['a(?<=a)b', 'a lookaround'],
    ['a(?<!b)c', 'a lookaround'],
    ['(a)\\1', 'a backreference'],
    ['(?<x>a)\\k<x>', 'a named group'],
    ['\\bword\\b', '“\\b”'],
    ['\\p{L}+', '“\\p”'],
    ['\\u{1F600}', '“\\u{”'],
    ['[\\p{L}-]', '“\\p”'],
    ['[\\u{1F600}]', '“\\u{”'],
    ['^(?:a|[(?=)\\]\\b]){2,3}\\(\\?=\\d+\\.\\x41\\u0042$', null],
    ['[\\\\](a)', null],
  ])('has a warning for a pattern that can’t be enforced: %s', (pattern, what) =>
    expect(faultTexts({ items: { type: 'string', pattern } })).toEqual(
      what === null
        ? []
        : [
            `items/pattern: (warning) This pattern has ${what}, which the studio’s own engine can’t enforce. Use ` +
              'letters, classes, groups, “|” and counts.',
          ],
    ),
  );

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

  it('may hold data that looks like a schema', () => {
    expect(
      faultTexts({
        const: { type: 'no type' },
        default: { $ref: 1 },
        examples: [{ minimum: 'x' }],
        enum: [{ items: 5 }],
      }),
    ).toEqual([]);
  });

  it('has limits', () => {
    let deep: object = {};
    for (let level = 0; level < REQUEST_LIMITS.schemaDepth; level += 1) deep = { items: deep };
    expect(faultTexts(deep)[0]).toContain('inside one another');
    expect(faultTexts({ description: 'é'.repeat(REQUEST_LIMITS.schemaBytes / 2) })[0]).toMatch(
      /^: The schema has 6\d{4} bytes/,
    );
    expect(faultTexts(Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x${index}`, 1])))).toHaveLength(
      50,
    );
  });

  it('has one fault for too much depth, at the first place', () => {
    let deep: object = {};
    for (let level = 0; level < 40; level += 1) deep = { anyOf: [deep, { type: 'null' }] };
    const text = JSON.stringify(deep);
    const wide = JSON.stringify({ anyOf: [deep, deep] });
    for (const schema of [text, wide]) {
      const faults = findSchemaTextFaults(schema);
      expect(faults).toHaveLength(1);
      expect(faults[0]?.message).toMatch(/inside one another.* is \/anyOf\/0\/anyOf\/.*…\S*\/anyOf\/0\.$/);
      expect(faults[0]?.from).toBeGreaterThan(100);
      expect(faults[0]?.to).toBeGreaterThan(faults[0]?.from ?? Infinity);
    }
  });

  it('has a warning for a pattern that answers are not checked against', () => {
    const text = '{"type":"string","pattern":"^(a+)+$"}';
    const [fault, ...others] = findSchemaTextFaults(text);
    expect(others).toEqual([]);
    expect(fault).toMatchObject({ isWarning: true, message: expect.stringContaining('not checked') as string });
    expect(text.slice(fault?.from, fault?.to)).toBe('"^(a+)+$"');
    expect(faultTexts({ patternProperties: { '^(a+)+$': {} } })).toEqual([
      expect.stringMatching(/^patternProperties\/\^\(a\+\)\+\$: \(warning\) Matching this pattern may/) as string,
    ]);
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
      { line: 4, isWarning: false },
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
        }),
      ],
      ['The reference "#/$defs/b" leads to nothing. Define it under $defs.'],
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
