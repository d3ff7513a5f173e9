// Schemas as people send them must stay far below the bounds that keep hostile ones out.
import { describe, expect, it } from 'vitest';
import { openLlamaRuntime } from './llamaRuntime.ts';
import { toResponseGrammar } from './responseGrammar.ts';

const runtime = await openLlamaRuntime('off');

const object = (
  properties: Record<string, unknown>,
  required: readonly string[] = Object.keys(properties),
): Record<string, unknown> => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const list = (items: unknown): unknown => ({ type: 'array', items });
const many = (count: number, toEntry: (index: number) => [string, unknown]): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => toEntry(index)));

const address = object({
  street: { type: 'string', maxLength: 120 },
  city: { type: 'string' },
  zip: { type: 'string', pattern: '^\\d{5}(-\\d{4})?$' },
  country: { type: 'string', pattern: '^[A-Z]{2}$' },
});
const contact = object(
  {
    email: { type: 'string', format: 'email' },
    other_email: { type: 'string', pattern: '^[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\\.[a-zA-Z]{2,}$' },
    phone: { type: 'string', pattern: '^\\+?[0-9]{1,3}[ -]?\\(?[0-9]{2,4}\\)?([ -]?[0-9]{2,4}){1,4}$' },
    site: { type: 'string', format: 'uri' },
    born: { type: 'string', pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$' },
    since: { type: 'string', format: 'date-time' },
    id: { type: 'string', pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$' },
    version: {
      type: 'string',
      pattern:
        '^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(-[0-9A-Za-z-]+(\\.[0-9A-Za-z-]+)*)?(\\+[0-9A-Za-z-]+(\\.[0-9A-Za-z-]+)*)?$',
    },
    card: { type: 'string', pattern: '^(4\\d{12}(\\d{3})?|5[1-5]\\d{14}|3[47]\\d{13})$' },
    slug: { type: 'string', pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' },
    notes: { type: 'string', pattern: '^.{1,500}$' },
  },
  ['email'],
);

/** As generators for OpenAPI write them: all members optional and nullable, many references, unions of types. */
const openApi = {
  $ref: '#/$defs/Order',
  $defs: {
    Order: object(
      {
        ...many(40, (n) => [
          `field_${n}`,
          { anyOf: [{ type: ['string', 'integer', 'boolean'][n % 3] }, { type: 'null' }] },
        ]),
        customer: { $ref: '#/$defs/Customer' },
        lines: list({ $ref: '#/$defs/Line' }),
        parent: { anyOf: [{ $ref: '#/$defs/Order' }, { type: 'null' }] },
      },
      [],
    ),
    Customer: object(
      {
        contact,
        addresses: list(address),
        status: { enum: ['active', 'blocked', 'new'] },
        tags: { type: 'object', additionalProperties: { type: 'string' } },
      },
      ['status'],
    ),
    Line: { anyOf: [{ $ref: '#/$defs/Product' }, { $ref: '#/$defs/Service' }, { $ref: '#/$defs/Discount' }] },
    Product: object({
      kind: { const: 'product' },
      sku: { type: 'string' },
      count: { type: 'integer', minimum: 1, maximum: 999 },
      price: { type: 'number', minimum: 0 },
    }),
    Service: object({
      kind: { const: 'service' },
      hours: { type: 'number', minimum: 0.25, maximum: 24 },
      who: contact,
    }),
    Discount: object({ kind: { const: 'discount' }, percent: { type: 'integer', minimum: 0, maximum: 100 } }),
  },
};

function nestedForm(depth: number): unknown {
  return depth === 0
    ? { type: 'string' }
    : object(
        {
          title: { type: 'string' },
          kind: { enum: ['a', 'b', 'c'] },
          parts: list(nestedForm(depth - 1)),
          note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        },
        ['title'],
      );
}

const SCHEMAS: readonly (readonly [string, unknown])[] = [
  [
    '200 optional members of every kind',
    object(
      many(200, (n) => [
        `member_${n}`,
        [{ type: 'string' }, { type: 'integer' }, { type: ['number', 'null'] }, list({ type: 'string' }), address][
          n % 5
        ],
      ]),
      [],
    ),
  ],
  [
    '200 required members',
    object(many(200, (n) => [`member_${n}`, { type: 'string', description: `What member ${n} means` }])),
  ],
  [
    'a list of 500 values',
    object({ country: { enum: Array.from({ length: 500 }, (_, n) => `Country ${n} of ${n % 7}`) } }),
  ],
  [
    'twenty lists of 100 values',
    object(
      many(20, (n) => [
        `choice_${n}`,
        { enum: Array.from({ length: 100 }, (_, value) => `choice ${value * (n + 1)}`) },
      ]),
    ),
  ],
  ['500 numbers', { enum: Array.from({ length: 500 }, (_, n) => n * 37) }],
  ['emails, dates, telephone numbers and versions as patterns', list(contact)],
  ['an OpenAPI document', openApi],
  ['ten levels of forms', nestedForm(10)],
  [
    'a tagged union of 30 events',
    list({
      oneOf: Array.from({ length: 30 }, (_, n) =>
        object({
          type: { const: `event_${n}` },
          at: { type: 'string', format: 'date-time' },
          ...many(8, (m) => [`detail_${m}`, { type: 'string' }]),
        }),
      ),
    }),
  ],
  [
    'a union of 12 objects that begin alike',
    list({
      anyOf: Array.from({ length: 12 }, (_, n) =>
        object({ id: { type: 'integer' }, [`only_${n}`]: { type: 'string' } }),
      ),
    }),
  ],
  [
    'values with descriptions',
    { anyOf: Array.from({ length: 120 }, (_, n) => ({ const: `code-${n}`, description: `Means ${n}` })) },
  ],
  ['texts with lengths', object(many(12, (n) => [`text_${n}`, { type: 'string', minLength: 1, maxLength: 500 }]))],
];

describe('realistic schemas', () => {
  it.each(SCHEMAS)('compiles %s, and llama.cpp takes it', async (_name, schema) => {
    const grammar = toResponseGrammar({
      response_format: { type: 'json_schema', schema: schema as Record<string, unknown> },
    });
    await expect(runtime.llama.createGrammar({ grammar: grammar ?? '' })).resolves.toBeDefined();
  });

  it('compiles a hundred strict tools', async () => {
    const tools = Array.from({ length: 100 }, (_, n) => ({
      type: 'function' as const,
      function: {
        name: `tool_${n}`,
        strict: true,
        parameters: object({
          [`key_${n}`]: { type: 'string' },
          contact,
          limit: { type: 'integer', minimum: 1, maximum: 50 + n },
        }),
      },
    }));
    const grammar = toResponseGrammar({ tools });
    await expect(runtime.llama.createGrammar({ grammar: grammar ?? '' })).resolves.toBeDefined();
  });
});
