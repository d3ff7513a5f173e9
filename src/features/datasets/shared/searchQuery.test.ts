import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toFolded, toMatcher, type Matcher, type SearchFacts } from './searchQuery.ts';

const facts: SearchFacts = {
  row: {
    messages: [
      { role: 'system', content: 'Use the order tools.' },
      { role: 'user', content: 'Where is my Straße order "7"?\nThank you' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'get_order', arguments: '{"id": "X-9"}' } }],
      },
      { role: 'tool', content: 'shipped', tool_call_id: 'a' },
      { role: 'assistant', content: '<tool_call>{"name":"say","arguments":{}}</tool_call>' },
    ],
    tools: [{ type: 'function', function: { name: 'cancel_order' } }],
  },
  tags: ['Good'],
  findings: ['duplicate'],
  side: 'training',
  tokens: 40,
  isAside: true,
  isEdited: false,
};
function open(query: string): Matcher {
  const read = toMatcher(query);
  if (!read.ok) throw new Error(read.reason);
  return read.value;
}
const text = JSON.stringify(facts.row);
const hits = (query: string): boolean => {
  const matcher = open(query);
  const isHit = matcher.matches(facts);
  if (isHit) expect(matcher.mayMatch(text)).toBe(true);
  return isHit;
};

describe('toMatcher', () => {
  it.each([
    '',
    '   ',
    'WHERE',
    'strasse',
    '"my straße ORDER"',
    '"order \\"7',
    'X-9',
    '"{\\"id',
    'get_order shipped',
    '-missing',
    'tag:good',
    'finding:duplicate',
    'finding:Duplicate',
    'tool:get_order',
    'tool:say',
    'tool:cancel_order',
    'role:tool',
    'role:Assistant',
    'user:thank',
    'system:"order tools"',
    '-system:thank',
    'tokens:40',
    'tokens:30-50',
    'tokens:30..50',
    'tokens:>=40 tokens:<=40 tokens:<41 tokens:>39',
    'messages:5',
    'length:>20',
    'side:training -side:validation',
    'is:aside -is:edited',
    'order -tag:bad role:user',
    '"unclosed'.replace('unclosed', 'where is my'),
  ])('finds the row by %s', (query) => {
    expect(hits(query)).toBe(query !== '"order \\"7' && query !== '"{\\"id');
  });

  it.each([
    'missing',
    '-where',
    'where missing',
    'tag:goo',
    'tool:order',
    'role:developer',
    'user:shipped',
    'assistant:where',
    'tokens:<40',
    'messages:1-4',
    'side:validation',
    'is:edited',
    'http://example.com',
    'foo:bar',
  ])('does not find it by %s', (query) => {
    expect(hits(query)).toBe(false);
  });

  it('takes names that are no field, and lone marks, as text', () => {
    const row = { messages: [{ role: 'user', content: 'see https://a.b - or c:\\d "x' } as const] };
    for (const query of ['https://a.b', '-', 'c:\\d', '"- or"'])
      expect(open(query).matches({ ...facts, row })).toBe(true);
  });

  it('finds by tokens only rows whose tokens were counted', () => {
    expect(open('tokens:>=0').matches({ ...facts, tokens: null })).toBe(false);
  });

  it.each([
    ['length:abc', 'length:>500'],
    ['tokens:10-', 'no range'],
    ['side:left', 'training, validation'],
    ['is:__proto__', 'aside, edited'],
    ['role:constructor', 'assistant'],
    ['tag:', 'Nothing follows'],
    ['user:""', 'Nothing follows'],
    ['a'.repeat(1001), 'longer than 1000'],
    ['a '.repeat(51), 'more than 50'],
  ])('refuses %s', (query, reason) => {
    const read = toMatcher(query);
    expect(read.ok ? '' : read.reason).toContain(reason);
  });

  it('gives the words to mark', () => {
    expect(open('Where -no user:THANK tag:x tool:y').words).toEqual(['where', 'thank']);
  });

  it('never leaves out a row by its text that matches by its facts', () => {
    const unit = fc.constantFrom(
      'a',
      'B',
      'ß',
      'Σ',
      'ς',
      'İ',
      '"',
      '\\',
      '\n',
      'é',
      'e\u0301',
      '😀',
      '\ud800',
      ':',
      '-',
      ' ',
      '\u0000',
    );
    fc.assert(
      fc.property(
        fc.string({ unit, maxLength: 12 }),
        fc.nat(11),
        fc.nat(6),
        fc.constantFrom('', 'user:', '-'),
        (content, from, length, prefix) => {
          const part = content.slice(from, from + length).replaceAll('"', '');
          const read = toMatcher(`${prefix}"${part}"`);
          if (!read.ok) return;
          const row = { messages: [{ role: 'user', content } as const] };
          if (read.value.matches({ ...facts, row })) expect(read.value.mayMatch(JSON.stringify(row))).toBe(true);
          if (prefix !== '-' && content.includes(part) && part.isWellFormed())
            expect(read.value.matches({ ...facts, row })).toBe(true);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('never throws on random queries', () => {
    const unit = fc.constantFrom('a', '"', ':', '-', ' ', 'tag:', 'length:', '>', '5', 'role:', '\\', '(', '[');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 20 }), (query) => {
        const read = toMatcher(query);
        if (read.ok) expect(typeof read.value.matches(facts)).toBe('boolean');
        else expect(read.reason).toMatch(/\.$/);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('toFolded', () => {
  it('makes texts equal that differ in case only', () => {
    expect(toFolded('ΟΔΟΣ')).toBe(toFolded('οδος'));
    expect(toFolded('Straße')).toBe(toFolded('STRASSE'));
    expect(toFolded('ABC')).toBe('abc');
  });
});
