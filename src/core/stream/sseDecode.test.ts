import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { anyCharacter } from '#core/contract/anyCharacter.fixture.ts';
import { MAX_EVENT_CHARACTERS } from '#core/contract/limits.ts';
import { sseDecoder, type SseEvent } from './sseDecode.ts';
import { DONE, encodeComment, encodeData, encodeEvent } from './sseEncode.ts';

function decode(pieces: readonly string[], maxCharacters?: number): SseEvent[] {
  const decoder = sseDecoder(maxCharacters);
  return [...pieces.flatMap((piece) => decoder.push(piece)), ...decoder.flush()];
}

/** Cuts a text at the given places, which may repeat: an empty piece is a piece too. */
function cutAt(text: string, places: readonly number[]): string[] {
  const cuts = [0, ...places.map((place) => place % (text.length + 1)).sort((a, b) => a - b), text.length];
  return cuts.slice(1).map((end, index) => text.slice(cuts[index], end));
}

const event = (data: string, name: string | null = null): SseEvent => ({ event: name, data, fault: null });

describe('grammar', () => {
  it.each<[string, string, SseEvent[]]>([
    ['LF', 'data: a\n\ndata: b\n\n', [event('a'), event('b')]],
    ['CR', 'data: a\r\rdata: b\r\r', [event('a'), event('b')]],
    ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', [event('a'), event('b')]],
    ['mixed line ends', 'data: a\r\n\ndata: b\n\rdata: c\r\r\n', [event('a'), event('b'), event('c')]],
    ['a byte order mark', '\uFEFFdata: a\n\n', [event('a')]],
    ['a second byte order mark, which is no mark', 'data: a\n\n\uFEFFdata: b\n\n', [event('a')]],
    ['comments', ': hello\n:\n\ndata: a\n: between\n\n', [event('a')]],
    ['several lines of data', 'data: a\ndata:\ndata: b\n\n', [event('a\n\nb')]],
    ['no space after the colon', 'data:a\n\n', [event('a')]],
    ['two spaces after the colon', 'data:  a\n\n', [event(' a')]],
    ['a field without colon', 'data\ndata\n\n', [event('\n')]],
    ['names', 'event: error\ndata: a\n\ndata: b\n\n', [event('a', 'error'), event('b')]],
    ['fields that do not matter here', 'id: 1\nretry: 9\nretry: x\nother: y\ndata: a\n\n', [event('a')]],
    ['a name without data', 'event: ping\n\ndata: a\n\n', [event('a')]],
    ['an empty event name', 'event:\ndata: a\n\n', [event('a')]],
    ['blank lines only', '\n\n\r\r\n', []],
    ['nothing', '', []],
  ])('reads %s, wherever it is cut', (_what, text, expected) => {
    for (let cut = 0; cut <= text.length; cut += 1)
      expect(decode([text.slice(0, cut), text.slice(cut)])).toEqual(expected);
    expect(decode(text.split(''))).toEqual(expected);
  });

  it('gives an event that ends in CR at once, not with the next piece', () => {
    const decoder = sseDecoder();
    expect(decoder.push('data: a\r\r')).toEqual([event('a')]);
    expect(decoder.push('\ndata: b\r\n\r')).toEqual([event('b')]);
    expect(decoder.push('\n')).toEqual([]);
  });

  it('marks what an ended stream leaves unfinished', () => {
    expect(decode(['data: a\n\ndata: b'])).toEqual([event('a'), { event: null, data: 'b', fault: 'cut' }]);
    expect(decode(['data: a\n'])).toEqual([{ event: null, data: 'a', fault: 'cut' }]);
    expect(decode(['event: error\ndata: a'])).toEqual([{ event: 'error', data: 'a', fault: 'cut' }]);
    expect(decode(['data: a\n\n: comment'])).toEqual([event('a')]);
  });
});

describe('size of an event', () => {
  it('accepts 8 MiB and more, in one piece and in many', () => {
    const data = 'x'.repeat(8 * 1024 * 1024);
    expect(MAX_EVENT_CHARACTERS).toBeGreaterThanOrEqual(data.length);
    const text = encodeData(data);
    const pieces = Array.from({ length: Math.ceil(text.length / 65_536) }, (_, index) =>
      text.slice(index * 65_536, (index + 1) * 65_536),
    );
    for (const [found] of [decode([text]), decode(pieces)]) expect(found?.data.length).toBe(data.length);
  });

  it.each([
    ['in one piece', (text: string) => [text]],
    ['character by character', (text: string) => text.split('')],
    ['in two pieces', (text: string) => [text.slice(0, 150), text.slice(150)]],
  ])('holds the cap exactly, %s', (_how, cut) => {
    const rest = 'data: after\n\n';
    expect(decode(cut(encodeData('x'.repeat(100)) + rest), 100)).toEqual([event('x'.repeat(100)), event('after')]);
    expect(decode(cut(encodeData('x'.repeat(101)) + rest), 100)).toEqual([
      { event: null, data: '', fault: 'too-large' },
    ]);
    expect(decode(cut(encodeData(`${'x'.repeat(60)}\n${'y'.repeat(60)}`) + rest), 100)).toEqual([
      { event: null, data: '', fault: 'too-large' },
    ]);
  });

  it('does not keep an endless line in memory', () => {
    const decoder = sseDecoder(1000);
    const found = Array.from({ length: 100 }, () => decoder.push('data: '.padEnd(100, 'x'))).flat();
    expect(found).toEqual([{ event: null, data: '', fault: 'too-large' }]);
    expect(decoder.push('\n\ndata: more\n\n')).toEqual([]);
    expect(decoder.flush()).toEqual([]);
  });

  it('reads a line in 100,000 pieces', () => {
    const pieces = Array.from({ length: 100_000 }, (_, index) => String(index % 10).repeat(20));
    expect(decode(['data: ', ...pieces, '\n\n'])).toEqual([{ event: null, data: pieces.join(''), fault: null }]);
  });
});

/** Any text that the format can carry: a CR has no form in it, so encoding makes it a line end. */
const data = fc.string({ unit: anyCharacter, maxLength: 40 }).map((text) => text.replaceAll('\r', ' '));
const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 }).filter((text) => !/^\s|[\r\n]/.test(text));

describe('decode(encode(x)) = x', () => {
  it('for any events, comments between them, cut anywhere', () => {
    const events = fc.array(fc.record({ event: fc.option(name), data }), { maxLength: 6 });
    fc.assert(
      fc.property(
        events,
        fc.array(fc.nat(), { maxLength: 8 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        (list, places, lineEnd) => {
          const text = list.map((entry) => encodeComment('beat') + encodeEvent(entry)).join('');
          const pieces = cutAt(text.replaceAll('\n', lineEnd), places);
          expect(decode(pieces)).toEqual(list.map((entry) => event(entry.data, entry.event)));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('for any text at all: two cuttings give the same events', () => {
    const part = fc.constantFrom(
      'data',
      'event',
      'id',
      ':',
      ' ',
      '\n',
      '\r',
      '\r\n',
      'a',
      '\uFEFF',
      'retry: 1',
      'data: {"a":1}',
    );
    const text = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.array(fc.nat(), { maxLength: 10 }), (whole, places) => {
        expect(decode(cutAt(whole, places))).toEqual(decode([whole]));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('encode', () => {
  it('writes the forms that readers know', () => {
    expect(DONE).toBe('data: [DONE]\n\n');
    expect(encodeData('{"a":1}')).toBe('data: {"a":1}\n\n');
    expect(encodeData('a\nb\r\nc\rd')).toBe('data: a\ndata: b\ndata: c\ndata: d\n\n');
    expect(encodeEvent({ event: 'error', data: 'x' })).toBe('event: error\ndata: x\n\n');
    expect(encodeEvent({ data: 'x' })).toBe('data: x\n\n');
    expect(encodeComment('beat')).toBe(': beat\n\n');
  });

  it('lets nothing break out of a name or a comment', () => {
    expect(decode([encodeEvent({ event: 'a\n\ndata: evil', data: 'x' })])).toEqual([event('x', 'a  data: evil')]);
    expect(decode([encodeComment('a\r\n\r\ndata: evil')])).toEqual([]);
  });
});
