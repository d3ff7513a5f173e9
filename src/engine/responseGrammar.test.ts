// What a tool's parameters may be where its calls are enforced. That answers follow the grammar:
// llamaStructured.test.ts.
import { describe, expect, it } from 'vitest';
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import { EngineError } from './engine.ts';
import { toResponseGrammar } from './responseGrammar.ts';

function toRequest(parameters: Record<string, unknown>, more: Partial<ChatRequest> = {}): ChatRequest {
  const tool = { type: 'function' as const, function: { name: 'look_up', parameters } };
  return { model: 'm', messages: [{ role: 'user', content: 'x' }], tools: [tool], tool_choice: 'required', ...more };
}

function problemOf(request: ChatRequest): unknown {
  try {
    toResponseGrammar(request);
    return null;
  } catch (error) {
    return error;
  }
}

const OBJECT = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };

describe('arguments of an enforced call', () => {
  it.each<[string, Record<string, unknown>]>([
    ['an object', OBJECT],
    ['any object', { type: 'object' }],
    ['one of several objects', { anyOf: [OBJECT, { type: 'object', additionalProperties: { type: 'number' } }] }],
    ['a certain object', { const: { id: 'a' } }],
    ['a definition', { $ref: '#/$defs/call', $defs: { call: OBJECT } }],
    ['an object that holds its own kind', { type: 'object', properties: { next: { $ref: '#' } } }],
    ['anything', {}],
  ])('may be %s', (_what, parameters) => {
    expect(problemOf(toRequest(parameters))).toBeNull();
  });

  it.each<[string, Record<string, unknown>]>([
    ['a text', { type: 'string' }],
    ['a list', { type: 'array', items: OBJECT }],
    ['an object or null', { type: ['object', 'null'] }],
    ['an object or a text', { anyOf: [OBJECT, { type: 'string' }] }],
    ['a certain number', { enum: [1] }],
    ['a definition of a text', { $ref: '#/$defs/call', $defs: { call: { type: 'string' } } }],
  ])('are refused as %s: no answer could be told as a call', (_what, parameters) => {
    const problem = problemOf(toRequest(parameters));
    expect(problem).toBeInstanceOf(EngineError);
    expect(problem).toMatchObject({
      status: 400,
      code: 'unsupported_schema',
      param: 'tools[0].function.parameters',
      message: expect.stringContaining('"type": "object"') as string,
    });
  });

  it('are an object where the schema allows anything', () => {
    const grammar = toResponseGrammar(toRequest({})) ?? '';
    const call = grammar.split('\n').find((line) => line.startsWith('call-'));
    expect(call).toMatch(/"\\"arguments\\"" \S+ object-\d+$/);
  });
});

describe('many tools', () => {
  const toTools = (count: number, toParameters: (index: number) => Record<string, unknown>): ChatRequest => ({
    model: 'm',
    messages: [{ role: 'user', content: 'x' }],
    tools: Array.from({ length: count }, (_, index) => ({
      type: 'function' as const,
      function: { name: `tool_${index}`, strict: true, parameters: toParameters(index) },
    })),
  });
  const holding = (schema: unknown): Record<string, unknown> => ({
    type: 'object',
    properties: { a: schema },
    required: ['a'],
  });

  it('are compiled together when each of them is of usual size', () => {
    const usual = (index: number): Record<string, unknown> =>
      holding({ type: 'string', pattern: `^[a-z]{2,20}-${index}$` });
    expect(problemOf(toTools(128, usual))).toBeNull();
  });

  it.each<[string, (index: number) => unknown, RegExp]>([
    [
      'patterns',
      (index) => ({ type: 'string', pattern: '[ab]*'.repeat(2000) + index }),
      /^tools\[\d+\]\.function\.parameters\.properties\.a\.pattern$/,
    ],
    [
      'lists of values',
      (index) => ({
        oneOf: [
          { enum: Array.from({ length: 9000 }, () => 1) },
          { enum: Array.from({ length: 9000 }, () => 2 + index) },
        ],
      }),
      /^tools\[\d+\]\.function\.parameters\.properties\.a/,
    ],
    [
      'members',
      (index) => ({
        type: 'object',
        properties: Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`p${index}_${n}`, { enum: [n] }])),
      }),
      /^tools\[\d+\]\.function\.parameters/,
    ],
  ])('share one budget of work and size: %s', (_what, toSchema, param) => {
    expect(problemOf(toTools(128, (index) => ({ ...holding(toSchema(index)), title: String(index) })))).toMatchObject({
      status: 400,
      code: 'unsupported_schema',
      param: expect.stringMatching(param) as string,
    });
  });

  it('of one name must have the same parameters where calls are enforced', () => {
    const request = toTools(2, (index) => holding({ const: index }));
    for (const tool of request.tools ?? []) tool.function.name = 'same';
    expect(problemOf(request)).toMatchObject({
      status: 400,
      param: 'tools[1].function.name',
      message: expect.stringContaining('name of its own') as string,
    });
  });
});
