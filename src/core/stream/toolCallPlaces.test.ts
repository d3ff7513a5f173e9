import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { MAX_TOOL_CALLS, toolCallPlaces } from './toolCallPlaces.ts';

/** Folds deltas into `place id name(arguments)` lines, so that a case reads like a picture. */
function fold(deltas: readonly unknown[], messageId: string | null = 'm'): string[] {
  const places = toolCallPlaces();
  const calls: { id: string; name: string; text: string }[] = [];
  for (const delta of deltas) {
    for (const step of places.push([delta], messageId) ?? []) {
      const call = (calls[step.index] ??= { id: '', name: '', text: '' });
      call.id = step.id;
      call.name ||= step.name;
      call.text += step.arguments;
    }
  }
  return calls.map((call, place) => `${place} ${call.id} ${call.name}(${call.text})`);
}

const named = (name: string, text = '') => ({ function: { name, arguments: text } });
const more = (text: string) => ({ function: { arguments: text } });

describe('which call a delta belongs to', () => {
  it.each<[string, unknown[], string[]]>([
    [
      'the usual form',
      [
        { index: 0, id: 'a', ...named('f', '{') },
        { index: 0, ...more('}') },
      ],
      ['0 a f({})'],
    ],
    [
      'two calls, interleaved',
      [
        { index: 0, id: 'a', ...named('f') },
        { index: 1, id: 'b', ...named('g') },
        { index: 0, ...more('1') },
        { index: 1, ...more('2') },
      ],
      ['0 a f(1)', '1 b g(2)'],
    ],
    [
      'first index 1',
      [
        { index: 1, id: 'a', ...named('f') },
        { index: 1, ...more('1') },
      ],
      ['0 a f(1)'],
    ],
    [
      'an index used twice: a new id appends',
      [
        { index: 0, id: 'a', ...named('f', '1') },
        { index: 0, id: 'b', ...named('g', '2') },
        { index: 0, ...more('3') },
      ],
      ['0 a f(1)', '1 b g(23)'],
    ],
    [
      'a known id wins over another index',
      [
        { index: 0, id: 'a', ...named('f') },
        { index: 5, id: 'a', ...more('1') },
      ],
      ['0 a f(1)'],
    ],
    [
      'id repeated in each delta',
      [
        { index: 0, id: 'a', ...named('f') },
        { index: 0, id: 'a', ...more('1') },
      ],
      ['0 a f(1)'],
    ],
    [
      'name repeated in each delta',
      [
        { index: 0, id: 'a', ...named('f', '1') },
        { index: 0, ...named('f', '2') },
      ],
      ['0 a f(12)'],
    ],
    ['neither index nor id: the current call', [{ ...named('f', '{') }, { ...more('}') }], ['0 call_m_0 f({})']],
    [
      'neither, with another name: another call',
      [{ ...named('f', '1') }, { ...named('g', '2') }, { ...more('3') }],
      ['0 call_m_0 f(1)', '1 call_m_1 g(23)'],
    ],
    [
      'ids but no index',
      [
        { id: 'a', ...named('f') },
        { id: 'b', ...named('g') },
        { id: 'a', ...more('1') },
      ],
      ['0 a f(1)', '1 b g()'],
    ],
    [
      'a missing id is made',
      [
        { index: 0, ...named('f') },
        { index: 0, ...more('1') },
      ],
      ['0 call_m_0 f(1)'],
    ],
    [
      'an empty id is a missing one',
      [
        { index: 0, id: '', ...named('f') },
        { index: 0, id: null, ...more('1') },
      ],
      ['0 call_m_0 f(1)'],
    ],
    [
      'an id that comes late',
      [
        { index: 0, ...named('f') },
        { index: 0, id: 'a', ...more('1') },
      ],
      ['0 a f(1)'],
    ],
    [
      'a huge index is none',
      [
        { index: 1e308, id: 'a', ...named('f') },
        { index: 4_000_000_000, id: 'b', ...named('g') },
      ],
      ['0 a f()', '1 b g()'],
    ],
    [
      'a bad index is none',
      [
        { index: -1, id: 'a', ...named('f') },
        { index: 1.5, ...more('1') },
        { index: '0', ...more('2') },
      ],
      ['0 a f(12)'],
    ],
    [
      'arguments as an object',
      [{ index: 0, id: 'a', function: { name: 'f', arguments: { x: 1 } } }],
      ['0 a f({"x":1})'],
    ],
    [
      'arguments before the name',
      [
        { index: 0, id: 'a', ...more('1') },
        { index: 0, ...named('f') },
      ],
      ['0 a f(1)'],
    ],
    [
      'no function',
      [
        { index: 0, id: 'a' },
        { index: 0, function: null },
      ],
      ['0 a ()'],
    ],
    ['not a delta at all', [null, 7, 'x', []], []],
    [
      'an index used twice without ids: Gemini',
      [
        { index: 0, ...named('f', '{"city":"Rome"}') },
        { index: 0, ...named('g', '{"city":"Oslo"}') },
      ],
      ['0 call_m_0 f({"city":"Rome"})', '1 call_m_1 g({"city":"Oslo"})'],
    ],
    [
      'the same, one name',
      [
        { index: 0, ...named('f', '{"a":1}') },
        { index: 0, ...named('f', '{"a":1}') },
      ],
      ['0 call_m_0 f({"a":1})', '1 call_m_1 f({"a":1})'],
    ],
    [
      'the same, in pieces',
      [
        { index: 0, ...named('f', '{"a":"}') },
        { index: 0, ...named('f', '"}') },
        { index: 0, ...named('f', '{}') },
      ],
      ['0 call_m_0 f({"a":"}"})', '1 call_m_1 f({})'],
    ],
    [
      'a name once more at the end is no call',
      [
        { index: 0, ...named('f', '{"a":1}') },
        { index: 0, ...named('f') },
      ],
      ['0 call_m_0 f({"a":1})'],
    ],
    [
      'no index, no id, one name',
      [{ ...named('f', '{"a":1}') }, { ...named('f', '{"a":2}') }],
      ['0 call_m_0 f({"a":1})', '1 call_m_1 f({"a":2})'],
    ],
    [
      'a new id with each delta',
      [
        { index: 0, id: 'a', ...named('f', '{"a"') },
        { index: 0, id: 'b', ...more(':1') },
        { index: 0, id: 'c', ...more('}') },
      ],
      ['0 a f({"a":1})'],
    ],
    [
      'a new id with each delta, and the name',
      [
        { index: 0, id: 'a', ...named('f', '{"a"') },
        { index: 0, id: 'b', ...named('f', ':1}') },
      ],
      ['0 a f({"a":1})'],
    ],
    [
      'a new id with each delta, without index',
      [
        { id: 'a', ...named('f', '{"a"') },
        { id: 'b', ...more(':1}') },
      ],
      ['0 a f({"a":1})'],
    ],
    [
      'new ids, two calls',
      [
        { index: 0, id: 'a', ...named('f', '{') },
        { index: 0, id: 'b', ...more('}') },
        { index: 0, id: 'c', ...named('f', '{') },
        { index: 0, id: 'd', ...more('}') },
      ],
      ['0 a f({})', '1 c f({})'],
    ],
    [
      'an id that grows: llama.cpp',
      [
        { index: 0, id: 'ab', function: { name: 'f' } },
        { index: 0, id: 'abcd', ...named('f', '{') },
        { index: 0, ...more('}') },
      ],
      ['0 abcd f({})'],
    ],
    [
      'an id that is used twice',
      [
        { index: 0, id: 'f', ...named('f', '{"a":1}') },
        { index: 1, id: 'f', ...named('f', '{"a":2}') },
      ],
      ['0 f f({"a":1})', '1 call_m_1 f({"a":2})'],
    ],
    [
      'a first delta without a name',
      [
        { index: 0, id: 'a', ...named('') },
        { index: 0, id: 'a', ...named('f', '{}') },
      ],
      ['0 a f({})'],
    ],
    [
      'ids named like inherited properties',
      [
        { id: '__proto__', ...named('f') },
        { id: 'constructor', ...named('g') },
        { id: '__proto__', ...more('1') },
      ],
      ['0 __proto__ f(1)', '1 constructor g()'],
    ],
  ])('%s', (_what, deltas, expected) => {
    expect(fold(deltas)).toEqual(expected);
  });

  it('gives a name once, however often it is repeated', () => {
    const places = toolCallPlaces();
    const names = [named('f'), named('f', '1')].map(
      (delta) => places.push([{ index: 0, id: 'a', ...delta }], null)?.[0]?.name,
    );
    expect(names).toEqual(['f', '']);
  });

  it('makes an id without a message id too', () => {
    expect(fold([named('f')], null)).toEqual(['0 call_0 f()']);
  });

  it('takes two entries of one list without index and id for two calls', () => {
    const names = toolCallPlaces()
      .push([named('f'), named('f'), more('{}')], null)
      ?.map(({ index, name, arguments: args }) => `${index} ${name}${args}`);
    expect(names).toEqual(['0 f', '1 f', '1 {}']);
  });

  it('takes each entry of a whole message for a call, whatever its id and index', () => {
    const steps = toolCallPlaces().push(
      [
        named('f', '{"a":1}'),
        { id: 'a', index: 0, ...named('f', '{"a":1}') },
        { id: 'a', index: 0, ...named('f', '') },
        { id: 'b', index: 0, ...more('{}') },
      ],
      'm',
      true,
    );
    expect(steps?.map(({ index, id }) => `${index} ${id}`)).toEqual(['0 call_m_0', '1 a', '2 call_m_2', '3 b']);
  });

  it('reads a list only', () => {
    expect(toolCallPlaces().push({ 0: named('f') }, null)).toEqual([]);
    expect(toolCallPlaces().push(undefined, null)).toEqual([]);
  });
});

it('stops a runaway answer, and not one call earlier', () => {
  const calls = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ index, id: `c${index}`, ...named('f') }));
  expect(toolCallPlaces().push(calls(MAX_TOOL_CALLS), null)).toHaveLength(MAX_TOOL_CALLS);
  expect(toolCallPlaces().push(calls(MAX_TOOL_CALLS + 1), null)).toBeNull();
});

it('gives each id to one call, and one id to each', () => {
  const delta = fc.record({
    index: fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined }),
    id: fc.constantFrom('', 'a', 'b'),
    function: fc.record({ name: fc.constantFrom('', 'f', 'g'), arguments: fc.constantFrom('', '{}', '{', '}') }),
  });
  fc.assert(
    fc.property(fc.array(delta, { maxLength: 12 }), fc.boolean(), (deltas, areWhole) => {
      const last = new Map<number, string>();
      for (const step of toolCallPlaces().push(deltas, 'm', areWhole) ?? []) last.set(step.index, step.id);
      expect(new Set(last.values()).size).toBe(last.size);
    }),
  );
});

it('gives places without gaps and ids that are never empty, whatever comes', () => {
  const index = fc.option(fc.oneof(fc.integer({ min: -2, max: 5 }), fc.double(), fc.string()), { nil: undefined });
  const text = fc.option(fc.constantFrom('', 'a', 'b', '{"', '__proto__'), { nil: undefined });
  const delta = fc.record({
    index,
    id: text,
    function: fc.record({ name: text, arguments: fc.oneof(text, fc.jsonValue()) }),
  });
  fc.assert(
    fc.property(fc.array(delta, { maxLength: 30 }), (deltas) => {
      const places = toolCallPlaces();
      let seen = 0;
      for (const step of places.push(deltas, 'm') ?? []) {
        expect(step.index).toBeLessThanOrEqual(seen);
        seen = Math.max(seen, step.index + 1);
        expect(step.id).not.toBe('');
      }
    }),
  );
});
