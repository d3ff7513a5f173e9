import { describe, expect, it } from 'vitest';
import { openLlamaRuntime } from '#engine/llamaRuntime.ts';
import { Rules } from './gbnf.ts';
import { openJsonRules } from './jsonRules.ts';
import { writeSchema } from './schemaGrammar.ts';
import { parseSchema } from '#core/schema/schemaSupport.ts';

const runtime = await openLlamaRuntime('off');

/** Whether llama.cpp's own grammar parser accepts the whole text for the schema. */
async function openMatcher(schema: unknown): Promise<(text: string) => boolean> {
  const rules = new Rules();
  const root = writeSchema(parseSchema(schema), rules, openJsonRules(rules));
  const grammar = await runtime.llama.createGrammar({ grammar: rules.toText(root) });
  const test = Reflect.get(grammar, '_testText') as (text: string) => boolean;
  return (text) => test.call(grammar, text);
}

const OPTIONAL = {
  type: 'object',
  properties: { a: { type: 'integer' }, b: { type: 'string' }, c: { type: 'boolean' } },
  required: ['b'],
};
const RECURSIVE = {
  $ref: '#/$defs/node',
  $defs: {
    node: {
      type: 'object',
      properties: { v: { type: 'integer' }, kids: { type: 'array', items: { $ref: '#/$defs/node' } } },
      required: ['v'],
    },
  },
};

describe('writeSchema', () => {
  it.each<[string, unknown, readonly string[], readonly string[]]>([
    [
      'optional members, in the order of the schema',
      OPTIONAL,
      [
        '{"b":"x"}',
        '{"a":1,"b":"x"}',
        '{"b":"x","c":true}',
        '{ "a": 1, "b": "x", "c": false }',
        '{\n  "a": 1,\n  "b": "x"\n}',
      ],
      ['{}', '{"a":1}', '{"b":"x","a":1}', '{"b":"x",}', '{,"b":"x"}', '{"b":"x","d":1}', '{"a":1.5,"b":"x"}'],
    ],
    [
      'only optional members',
      { type: 'object', properties: { a: { type: 'null' }, b: { type: 'null' } } },
      ['{}', '{"a":null}', '{"b":null}', '{"a":null,"b":null}'],
      ['{"b":null,"a":null}', '{"a":null,"a":null}'],
    ],
    ['no members', { type: 'object', properties: {}, additionalProperties: false }, ['{}', '{ }'], ['{"a":1}', '[]']],
    [
      'free names',
      { type: 'object', additionalProperties: { type: 'integer' }, minProperties: 1, maxProperties: 2 },
      ['{"x":1}', '{"x":1,"y":2}'],
      ['{}', '{"x":"1"}', '{"x":1,"y":2,"z":3}'],
    ],
    ['any value', {}, ['1', '"a"', 'null', '[1,{"a":[]}]', '{"a":{"b":-1.5e3}}'], ['', '01', '[1,]', 'nul', '{"a"}']],
    ['several types', { type: ['string', 'null', 'integer'] }, ['"a"', 'null', '-5'], ['1.5', 'true', '[]']],
    [
      'enum with values of all kinds',
      { enum: ['a"b', 1, null, { x: [1, 2] }, 'ü'] },
      ['"a\\"b"', '1', 'null', '{"x":[1,2]}', '"ü"'],
      ['"a"', '2', '{}'],
    ],
    ['const', { const: 'yes' }, ['"yes"'], ['"no"', '"yes']],
    [
      'lengths in code points',
      { type: 'string', minLength: 2, maxLength: 3 },
      ['"ab"', '"🙂é"', String.raw`"\n\u00e9a"`],
      ['"a"', '"abcd"', String.raw`"\ud83d\ude00"`],
    ],
    [
      'texts',
      { type: 'string' },
      ['""', String.raw`"a\"b\\c\/"`, '"🙂"'],
      ['"a', '"\n"', String.raw`"\x"`, String.raw`"\ud800"`, "'a'"],
    ],
    [
      'lists',
      { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 3 },
      ['[1]', '[1,2,3]', '[1, 2]'],
      ['[]', '[1,2,3,4]', '[1 2]', '["1"]'],
    ],
    [
      'a list of fixed places',
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: { type: 'null' }, minItems: 1 },
      ['["a"]', '["a",1]', '["a",1,null,null]'],
      ['[]', '[1]', '["a",null]'],
    ],
    [
      'anyOf',
      {
        anyOf: [
          { type: 'integer', minimum: 10, maximum: 12 },
          { type: 'string', enum: ['x'] },
        ],
      },
      ['10', '12', '"x"'],
      ['9', '13', '"y"'],
    ],
    [
      'recursion',
      RECURSIVE,
      ['{"v":1}', '{"v":1,"kids":[{"v":2,"kids":[]},{"v":3}]}'],
      ['{"kids":[]}', '{"v":1,"kids":[1]}'],
    ],
    [
      'dates',
      { type: 'string', format: 'date' },
      ['"2026-11-20"', '"2024-02-29"', '"2026-12-31"'],
      ['"2026-02-29"', '"2026-04-31"', '"2026-13-01"', '"1900-02-29"', '"26-01-01"'],
    ],
    [
      'times',
      { type: 'string', format: 'date-time' },
      ['"2026-11-20T23:59:59Z"', '"2026-11-20T00:00:00.5+01:00"'],
      ['"2026-11-20 23:59:59Z"', '"2026-11-20T24:00:00Z"', '"2026-11-20T23:59:59"'],
    ],
    ['ids', { type: 'string', format: 'uuid' }, ['"123e4567-e89b-42d3-a456-426614174000"'], ['"123e4567"']],
    [
      'addresses',
      { type: 'string', format: 'email' },
      ['"a.b-c@mail.example.com"'],
      ['"a@b"', '"@b.com"', '"a b@c.de"'],
    ],
    ['IPv4', { type: 'string', format: 'ipv4' }, ['"192.168.0.255"'], ['"256.1.1.1"', '"1.2.3"']],
    [
      'a member called __proto__',
      JSON.parse('{"type":"object","properties":{"__proto__":{"type":"integer"}},"required":["__proto__"]}'),
      ['{"__proto__":1}'],
      ['{}'],
    ],
  ])('%s', async (_name, schema, good, bad) => {
    const matches = await openMatcher(schema);
    for (const text of good) {
      expect([text, matches(text)]).toEqual([text, true]);
      expect(() => JSON.parse(text) as unknown).not.toThrow();
    }
    for (const text of bad) expect([text, matches(text)]).toEqual([text, false]);
  });

  it('can be enforced at the caps', async () => {
    const schema = {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 8 }, (_, n) => [`p${n}`, { type: 'string', minLength: n, maxLength: 1020 - n }]),
      ),
      required: ['p0'],
    };
    const matches = await openMatcher(schema);
    expect(matches('{"p0":"x"}')).toBe(true);
  });
});
