import { describe, expect, it } from 'vitest';
import { REQUEST_LIMITS } from '#core/contract/limits.ts';
import { Rules } from './gbnf.ts';
import { openJsonRules } from './jsonRules.ts';
import { writeSchema } from './schemaGrammar.ts';
import { SchemaProblem } from '#core/schema/schemaNode.ts';
import { parseSchema } from '#core/schema/schemaSupport.ts';
import { OutOfTime, WorkBudget } from '#core/schema/workBudget.ts';

function problemOf(schema: unknown): { path: string; message: string } | null {
  try {
    const rules = new Rules();
    writeSchema(parseSchema(schema), rules, openJsonRules(rules));
    return null;
  } catch (error) {
    if (!(error instanceof SchemaProblem)) throw error;
    return { path: error.path.join('.'), message: error.message };
  }
}

const inside = (schema: unknown): unknown => ({ type: 'object', properties: { a: schema } });

function nested(levels: number): unknown {
  return levels === 0 ? { type: 'string' } : { type: 'array', items: nested(levels - 1) };
}

describe('what can be enforced', () => {
  it.each<[string, unknown]>([
    ['nothing', {}],
    [
      'annotations',
      { $schema: 'x', title: 't', description: 'd', default: 1, examples: [1], $comment: 'c', type: 'string' },
    ],
    ['several types', { type: ['string', 'null'] }],
    ['keywords without a type', { minLength: 2 }],
    ['keywords of another type', { type: 'string', minimum: 3, minLength: 1 }],
    [
      'optional and nullable members',
      { type: 'object', properties: { a: { anyOf: [{ type: 'string' }, { type: 'null' }] }, b: {} }, required: ['b'] },
    ],
    ['a forbidden member', { type: 'object', properties: { a: false, b: { type: 'null' } } }],
    ['a required member without a schema', { type: 'object', required: ['a'] }],
    ['free names', { type: 'object', additionalProperties: { type: 'integer' }, minProperties: 1, maxProperties: 4 }],
    [
      'recursion',
      { $ref: '#/$defs/node', $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } } },
    ],
    ['a reference to the root', { type: 'object', properties: { children: { type: 'array', items: { $ref: '#' } } } }],
    ['older definitions', { $ref: '#/definitions/a', definitions: { a: { const: 1 } } }],
    ['allOf with one entry', { allOf: [{ $ref: '#/$defs/a' }], $defs: { a: { type: 'string' } } }],
    ['oneOf with different types', { oneOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] }],
    [
      'oneOf told apart by a member',
      {
        oneOf: [
          { type: 'object', properties: { kind: { const: 'a' } }, required: ['kind'] },
          { type: 'object', properties: { kind: { enum: ['b', 'c'] } }, required: ['kind'] },
        ],
      },
    ],
    [
      'formats and patterns',
      inside({
        type: 'array',
        prefixItems: [
          { type: 'string', format: 'uuid' },
          { type: 'string', pattern: '^[A-Z]{2}-\\d+$' },
        ],
      }),
    ],
    ['bounds', { type: 'number', minimum: -0.5, exclusiveMaximum: 1e9 }],
    ['multipleOf 1', { type: 'integer', multipleOf: 1 }],
    [
      'a fixed list',
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false, minItems: 2 },
    ],
    [
      'a member called __proto__',
      JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}'),
    ],
    ['as deep as allowed', nested(REQUEST_LIMITS.schemaDepth - 1)],
  ])('%s', (_name, schema) => {
    expect(problemOf(schema)).toBeNull();
  });
});

describe('what can not is refused, with the path of the keyword', () => {
  it.each<[string, unknown, RegExp?]>([
    ['properties.a.not', inside({ not: {} }), /enum, const or anyOf/],
    ['properties.a.if', inside({ if: {}, else: {} })],
    ['properties.a.patternProperties', inside({ type: 'object', patternProperties: {} })],
    ['properties.a.propertyNames', inside({ type: 'object', propertyNames: {} })],
    ['properties.a.dependentRequired', inside({ dependentRequired: {} })],
    ['properties.a.unevaluatedProperties', inside({ unevaluatedProperties: false })],
    ['properties.a.contains', inside({ type: 'array', contains: {} })],
    ['properties.a.uniqueItems', inside({ type: 'array', uniqueItems: true })],
    ['properties.a.multipleOf', inside({ type: 'number', multipleOf: 0.01 })],
    ['properties.a.format', inside({ type: 'string', format: 'ipv6' }), /date-time/],
    ['properties.a.pattern', inside({ type: 'string', pattern: '^(?=a)b' }), /lookaround/],
    ['properties.a.pattern', inside({ type: 'string', pattern: '(a)\\1' })],
    ['properties.a.pattern', inside({ type: 'string', pattern: 'a', minLength: 3 }), /together/],
    ['properties.a.somethingNew', inside({ somethingNew: 1 }), /Remove it/],
    ['properties.a.minLength', inside({ type: 'string', minLength: REQUEST_LIMITS.schemaRepeats + 1 }), /1024/],
    ['properties.a.minLength', inside({ type: 'string', minLength: -1 })],
    ['properties.a.minItems', inside({ type: 'array', minItems: 5, maxItems: 2 })],
    ['properties.a.minItems', inside({ type: 'array', prefixItems: [{}], items: false, minItems: 2 })],
    ['properties.a.minimum', inside({ type: 'integer', minimum: 5, maximum: 4 })],
    ['properties.a.exclusiveMinimum', inside({ type: 'integer', exclusiveMinimum: 4, exclusiveMaximum: 5 })],
    ['properties.a.maximum', inside({ type: 'number', maximum: 1e300 })],
    ['properties.a.type', inside({ type: 'text' })],
    ['properties.a.type', inside({ enum: ['x'], type: 'integer' })],
    ['properties.a.enum', inside({ enum: [] })],
    ['properties.a.minimum', inside({ enum: [1, 2], minimum: 2 }), /together/],
    ['properties.a.type', inside({ anyOf: [{ type: 'string' }], type: 'string' }), /together/],
    ['properties.a.allOf', inside({ allOf: [{ type: 'object' }, { type: 'object' }] }), /Merge/],
    ['properties.a.oneOf', inside({ oneOf: [{ type: 'number' }, { type: 'integer' }] }), /anyOf/],
    ['properties.a.oneOf', inside({ oneOf: [{ minLength: 1 }, { minimum: 1 }] }), /anyOf/],
    [
      'properties.a.oneOf',
      inside({
        oneOf: [
          { type: 'object', properties: { k: { const: 1 } } },
          { type: 'object', properties: { k: { const: 2 } } },
        ],
      }),
    ],
    ['properties.a.$ref', inside({ $ref: 'https://example.com/schema' }), /leads out/],
    ['properties.a.$ref', inside({ $ref: '#/$defs/missing' }), /nothing/],
    ['properties.a.$ref', inside({ $ref: '#/constructor' }), /nothing/],
    ['properties.a.$id', inside({ $id: 'x', type: 'string' })],
    ['properties.a', { type: 'object', properties: { a: false }, required: ['a'] }],
    ['required', { type: 'object', required: ['b'], additionalProperties: false }],
    ['minProperties', { type: 'object', properties: { a: {}, b: {}, c: {} }, minProperties: 2 }],
    ['minProperties', { type: 'object', minProperties: 2 }],
    [
      '',
      {
        $ref: '#/$defs/a',
        $defs: { a: { $ref: '#/$defs/b' }, b: { anyOf: [{ $ref: '#/$defs/a' }, { type: 'null' }] } },
      },
      /only back to itself/,
    ],
    ['', { $ref: '#' }],
    ['', { enum: ['x'.repeat(REQUEST_LIMITS.schemaBytes)] }, /bytes/],
    [
      '',
      {
        type: 'object',
        properties: Object.fromEntries(
          Array.from({ length: 20 }, (_, n) => [`p${n}`, { type: 'string', maxLength: 1000 - n }]),
        ),
      },
      /add up/,
    ],
    [
      Array.from({ length: REQUEST_LIMITS.schemaDepth }, () => 'items').join('.'),
      nested(REQUEST_LIMITS.schemaDepth),
      /deeper/,
    ],
    ['', 'string', /must be an object/],
  ])('%s: %j', (path, schema, message) => {
    const problem = problemOf(schema);
    expect(problem?.path).toBe(path);
    if (message) expect(problem?.message).toMatch(message);
  });

  const choice = (...options: unknown[]): unknown => ({ $ref: '#/$defs/n', $defs: { n: { anyOf: options } } });
  const self = { $ref: '#/$defs/n' };
  const tagged = (kind: string, rest: object = {}): unknown => ({
    type: 'object',
    properties: { kind: { const: kind }, ...rest },
    required: ['kind'],
  });

  it.each<[string, unknown]>([
    [
      'lists of itself',
      choice({ type: 'array', items: self, maxItems: 1 }, { type: 'array', items: self, maxItems: 2 }),
    ],
    [
      'objects of itself without a first const',
      choice({ type: 'object', properties: { a: self } }, { type: 'object', properties: { a: self, b: {} } }),
    ],
    [
      'through another definition',
      {
        $ref: '#/$defs/a',
        $defs: {
          a: {
            anyOf: [
              { type: 'array', items: { $ref: '#/$defs/b' } },
              { type: 'array', prefixItems: [{ type: 'null' }] },
            ],
          },
          b: { type: 'object', properties: { x: { $ref: '#/$defs/a' } } },
        },
      },
    ],
    [
      'doubling without recursion',
      {
        $ref: '#/$defs/d0',
        $defs: Object.fromEntries(
          Array.from({ length: 20 }, (_, n) => [
            `d${n}`,
            n === 19
              ? { type: 'null' }
              : {
                  anyOf: [1, 2].map((maxItems) => ({ type: 'array', maxItems, items: { $ref: `#/$defs/d${n + 1}` } })),
                },
          ]),
        ),
      },
    ],
  ])('refuses what would keep ever more readings open: %s', (_name, schema) => {
    expect(problemOf(schema)?.message).toMatch(/begin alike|ways to go on/);
  });

  it('comes to an end for schemas made to take for ever', () => {
    const levels = (options: (next: object) => unknown[], keyword: string): unknown => ({
      $ref: '#/$defs/d0',
      $defs: Object.fromEntries(
        Array.from({ length: 40 }, (_, n) => [
          `d${n}`,
          n === 39 ? { type: 'string' } : { [keyword]: options({ $ref: `#/$defs/d${n + 1}` }) },
        ]),
      ),
    });
    for (const keyword of ['anyOf', 'oneOf'])
      expect(problemOf(levels((next) => [next, next, next], keyword))).not.toBeNull();
    problemOf({
      oneOf: Array.from({ length: 300 }, (_, n) => ({
        type: 'object',
        properties: { kind: { enum: [n, -n - 1] } },
        required: ['kind'],
      })),
    });
    problemOf({
      anyOf: Array.from({ length: 200 }, () => ({ anyOf: Array.from({ length: 5 }, () => ({ type: 'string' })) })),
    });
  });

  const nullable = (levels: number): unknown =>
    levels === 0 ? { type: 'object', properties: { x: {} } } : { anyOf: [nullable(levels - 1), { type: 'null' }] };
  const spellings = Array.from({ length: 700 }, (_, index) =>
    [...'definition'].map((char, bit) => ((index >> bit) & 1 ? `%${char.charCodeAt(0).toString(16)}` : char)).join(''),
  );
  const numbers = (from: number, count: number): unknown => ({ enum: Array.from({ length: count }, () => from) });

  it.each<[string, unknown]>([
    ['anyOf with null, nested as deep as allowed', nullable(REQUEST_LIMITS.schemaDepth - 2)],
    [
      'one reference in 700 spellings',
      {
        type: 'object',
        properties: Object.fromEntries(spellings.map((name, index) => [`p${index}`, { $ref: `#/$defs/${name}` }])),
        $defs: {
          definition: {
            type: 'object',
            properties: Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`m${index}`, {}])),
          },
        },
      },
    ],
    ['oneOf of two lists of 15,000 values', { oneOf: [numbers(1, 15_000), numbers(2, 15_000)] }],
    [
      '300 values in entries of their own',
      { anyOf: Array.from({ length: 300 }, (_, index) => ({ const: `v${index}`, description: 'd' })) },
    ],
  ])('spends little on %s', (_name, schema) => {
    // A seventh of what a request may cause; a loop over all pairs or all ways would take millions of steps.
    const budget = new WorkBudget(200_000);
    expect(() => parseSchema(schema, budget)).not.toThrow();
  });

  it.each<[string, unknown, string]>([
    [
      'a long list of lists in oneOf',
      { oneOf: [{ enum: Array.from({ length: 5000 }, () => [1]) }, { enum: Array.from({ length: 5000 }, () => [2]) }] },
      'properties.a.oneOf',
    ],
    ['a pattern with too many counts', { type: 'string', pattern: '(.{0,100}x){0,90}' }, 'properties.a.pattern'],
    [
      'a thousand optional members in a row',
      { type: 'object', properties: Object.fromEntries(Array.from({ length: 1100 }, (_, index) => [`p${index}`, {}])) },
      'properties.a',
    ],
    [
      'more entries that begin alike than can be told apart',
      { anyOf: Array.from({ length: 40 }, (_, index) => ({ type: 'string', minLength: index })) },
      'properties.a',
    ],
  ])('names the keyword of what is too much: %s', (_name, schema, path) => {
    expect(problemOf(inside(schema))).toMatchObject({ path });
  });

  it('ends at a point in time, which is not the fault of the schema', () => {
    const schema = inside({ type: 'string', pattern: '[ab]*'.repeat(500) });
    expect(() => parseSchema(schema, new WorkBudget(1_500_000, () => true))).toThrow(OutOfTime);
  });

  it('takes all spellings of a reference for one definition', () => {
    const { definitions } = parseSchema({
      type: 'object',
      properties: { a: { $ref: '#/$defs/x~1y' }, b: { $ref: '#/$defs/%78~1%79' } },
      $defs: { 'x/y': { type: 'null' } },
    });
    expect([...definitions.keys()]).toEqual(['#/$defs/x~1y']);
  });

  it('allows recursion that one character or a first const tells apart', () => {
    expect(
      problemOf(
        choice({ type: 'array', items: self }, { type: 'object', additionalProperties: self }, { type: 'string' }),
      ),
    ).toBeNull();
    expect(
      problemOf(
        choice(
          tagged('add', { left: self, right: self }),
          tagged('neg', { of: self }),
          tagged('num', { value: { type: 'number' } }),
        ),
      ),
    ).toBeNull();
  });

  it('bounds chains of references', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 200 }, (_, n) => [
        `d${n}`,
        n === 199 ? { type: 'null' } : { type: 'array', items: { $ref: `#/$defs/d${n + 1}` } },
      ]),
    );
    expect(problemOf({ $ref: '#/$defs/d0', $defs })?.message).toMatch(/flatter/);
  });
});
