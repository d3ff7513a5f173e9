import * as fc from 'fast-check';
import { anyCharacter } from '#core/contract/anyCharacter.fixture.ts';
import { expectSame } from '#core/contract/expectSame.fixture.ts';
import { describe, expect, it } from 'vitest';
import { deltaReader } from './deltas.ts';
import type { SseEvent } from './sseDecode.ts';
import { textTemplate } from './textTemplate.ts';

const toEvent = (data: string): SseEvent => ({ event: null, data, fault: null });

/** What a reader makes of each chunk. */
function readAll(chunks: readonly string[]): unknown[] {
  const reader = deltaReader();
  return chunks.map((data) => reader.push(toEvent(data)));
}

/** The same, where no chunk can be read by what another taught: each begins with more spaces, which JSON ignores. */
function readSlowly(chunks: readonly string[]): unknown[] {
  const reader = deltaReader();
  return chunks.map((data, index) => reader.push(toEvent(`${' '.repeat(index + 1)}${data}`)));
}

const readContent = (data: string): string | null => {
  try {
    const chunk = JSON.parse(data) as { content?: unknown };
    return typeof chunk.content === 'string' ? chunk.content : null;
  } catch {
    return null;
  }
};

const chunk = (content: string, more: object = {}): string => JSON.stringify({ id: 'c', content, ...more });

describe('a template', () => {
  it('reads what differs in the text alone, with every escape', () => {
    const template = textTemplate();
    template.learn(chunk('a'), 'a', readContent);
    for (const text of [
      'b',
      'two words',
      '\n\n',
      '"quoted"',
      'back\\slash',
      'é 世界 👩‍🔬',
      '\u0001',
      '\u2028',
      '\ud800',
    ]) {
      expect(template.read(chunk(text))).toBe(text);
    }
    expect(template.read('{"id":"c","content":"\\u0041\\/"}')).toBe('A/');
  });

  it.each([
    ['another value elsewhere', chunk('b', { finish: 'stop' })],
    ['another id', '{"id":"d","content":"b"}'],
    ['no text', chunk('')],
    ['a text that ends early', '{"id":"c","content":"b","more":"c"}'],
    ['a broken escape', '{"id":"c","content":"\\x"}'],
    ['a line end inside', '{"id":"c","content":"a\nb"}'],
    ['half a chunk', '{"id":"c","content":"b'],
    ['overlapping ends', '{"id":"c","content":"}'],
    ['nothing', ''],
  ])('leaves %s to be read in full', (_what, data) => {
    const template = textTemplate();
    template.learn(chunk('a'), 'a', readContent);
    expect(template.read(data)).toBeNull();
  });

  it('knows nothing before it has learned, nor from a text that it can not place', () => {
    const template = textTemplate();
    expect(template.read(chunk('a'))).toBeNull();
    template.learn('{"id":"c","content":"\\u0061"}', 'a', readContent);
    expect(template.read(chunk('b'))).toBeNull();
  });

  it('finds the text where the same stands elsewhere too', () => {
    const template = textTemplate();
    template.learn('{"id":"a","content":"a","model":"a"}', 'a', readContent);
    expect(template.read('{"id":"a","content":"b","model":"a"}')).toBe('b');
    expect(template.read('{"id":"b","content":"a","model":"a"}')).toBeNull();
  });

  it('does not take the first of two fields of one name', () => {
    const template = textTemplate();
    template.learn('{"content":"a","content":"a"}', 'a', readContent);
    expect(template.read('{"content":"b","content":"a"}')).toBeNull();
    expect(template.read('{"content":"a","content":"b"}')).toBe('b');
  });

  it('learns anew when the time of day changes, and gives up on a stream that always does', () => {
    const template = textTemplate();
    let inFull = 0;
    const readCounting = (data: string): string | null => ((inFull += 1), readContent(data));
    for (let second = 0; second < 40; second += 1) {
      template.learn(chunk('a', { second }), 'a', readCounting);
      for (let index = 0; index < 20; index += 1) expect(template.read(chunk('b', { second }))).toBe('b');
    }
    const useful = inFull;
    for (let second = 100; second < 200; second += 1) template.learn(chunk('a', { second }), 'a', readCounting);
    expect(inFull - useful).toBeLessThan(10);
  });
});

const text = fc.oneof(
  fc.constantFrom('a', 'b', '', '"', '\\', '\n', 'probe-b7d1e0c4', ' word', '[DONE]'),
  fc.string({ unit: anyCharacter, maxLength: 6 }),
);
const fields = fc.record(
  {
    id: fc.constantFrom('c', '', 'a'),
    model: fc.constantFrom('m', 'a'),
    created: fc.constantFrom(0, 7, 8),
    system_fingerprint: fc.constantFrom('f', null),
    error: fc.constantFrom(null, false, 'bad'),
    usage: fc.constantFrom(null, { prompt_tokens: 1 }),
    timings: fc.constantFrom({ predicted_per_second: 4 }, {}),
  },
  { requiredKeys: [] },
);
const delta = fc.oneof(
  { weight: 5, arbitrary: fc.record({ content: text }) },
  { weight: 1, arbitrary: fc.record({ content: text, reasoning: text }) },
  { weight: 1, arbitrary: fc.record({ refusal: text, content: fc.constantFrom('', null) }) },
  { weight: 1, arbitrary: fc.record({ reasoning_content: text }) },
  {
    weight: 1,
    arbitrary: fc.record({
      content: text,
      tool_calls: fc.constantFrom([], [{ index: 0, function: { arguments: 'x' } }], null),
    }),
  },
);
const head = fc.tuple(fields, fc.constantFrom(0, 0, 0, 1), fc.constantFrom(null, null, null, undefined, 'stop'));
/** Long runs of one form, as services send them, with other forms between. */
const stream = fc
  .array(fc.tuple(head, fc.array(delta, { minLength: 1, maxLength: 12 })), { minLength: 1, maxLength: 5 })
  .chain((runs) =>
    fc
      .tuple(fc.constant(runs), fc.boolean())
      .map(([list, isSpaced]) =>
        list.flatMap(([[more, index, finish_reason], deltas]) =>
          deltas.map((each) =>
            JSON.stringify(
              { ...more, choices: [{ index, delta: each, finish_reason }] },
              null,
              isSpaced ? 1 : undefined,
            ).replaceAll('\n', ''),
          ),
        ),
      ),
  );

/** A chunk that is none is quoted in what is said about it, with the spaces that tell the two readings apart. */
const withoutQuote = (events: readonly unknown[]): string[] =>
  events.map((each) => JSON.stringify(each).replace(/ of an answer: .*/, ''));

it('gives what reading every chunk in full gives', () => {
  fc.assert(
    fc.property(stream, (chunks) => {
      expectSame(readAll(chunks), readSlowly(chunks));
    }),
    { numRuns: 500 },
  );
});

it('gives the same for chunks that are damaged', () => {
  const damage = fc.tuple(fc.nat(), fc.nat({ max: 4 }), fc.constantFrom('', '"', '\\', '}', 'x', '\u0000'));
  fc.assert(
    fc.property(stream, fc.array(fc.option(damage), { minLength: 1, maxLength: 20 }), (chunks, damages) => {
      const broken = chunks.map((data, index) => {
        const [at, length, piece] = damages[index % damages.length] ?? [0, 0, ''];
        const place = at % (data.length + 1);
        return data.slice(0, place) + piece + data.slice(place + length);
      });
      expectSame(withoutQuote(readAll(broken)), withoutQuote(readSlowly(broken)));
    }),
    { numRuns: 500 },
  );
});
