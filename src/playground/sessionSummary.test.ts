import { describe, expect, it } from 'vitest';
import { findExcerpt, searchSessions, toSearchText, toStoredHead, toSummary } from './sessionSummary';
import { toTitle, UNTITLED } from './sessionTitle';

const record = { version: 2, savedAt: 7, draft: 'half', panes: [{ model: 'm', turnIds: ['1', '2', 5] }, { model: 'n', turnIds: [] }], parked: [{ model: 'm', turnIds: ['3'] }] };

describe('a title', () => {
  it.each([
    ['  Where is\n\n my order? ', 'Where is my order?'],
    ['', ''],
    ['\n \t', ''],
    ['x'.repeat(80), 'x'.repeat(80)],
    ['x'.repeat(81), `${'x'.repeat(79)}…`],
    ['😀'.repeat(100), `${'😀'.repeat(79)}…`],
  ])('of %j', (text, title) => expect(toTitle(text)).toBe(title));

  it('is the given one, else the first message, else the draft', () => {
    const titles = [{ ...record, title: 'Mine' }, record].map((each) => toSummary('a', each, 'First').title);
    expect([...titles, toSummary('a', record, ' ').title, toSummary('a', { ...record, draft: '' }, null).title]).toEqual(['Mine', 'First', 'half', UNTITLED]);
  });
});

it('sums a stored session up', () => {
  expect(toSummary('a', record, 'Hi')).toEqual({ id: 'a', title: 'Hi', isNamed: false, savedAt: 7, turnCount: 2, models: ['m', 'n'], isDamaged: false });
});

it.each([null, 'text', [], { panes: 4, savedAt: 'x', title: 9 }, { panes: [null, { model: 3, turnIds: 'a' }] }])('reads damaged records: %j', (bad) => {
  expect(toStoredHead(bad)).toEqual({ turnIds: [], models: [] });
  expect(toSummary('a', bad, null)).toMatchObject({ title: UNTITLED, savedAt: 0, turnCount: 0 });
});

describe('the search', () => {
  const sessions = ['Orders', 'Refunds'].map((title, index) => toSummary(`${index}`, { ...record, title }, null));
  const texts = new Map([['1', toSearchText([
    { role: 'user', content: 'My Parcel is late' },
    { role: 'assistant', versions: [{ model: 'gpt', message: { text: 'Sorry!', toolCalls: [{ name: 'get_order', arguments: '{"id":"ORD-1"}' }] } }, null] },
    'damaged',
  ])]]);
  const found = (query: string): readonly string[] => searchSessions(sessions, query, texts).map(({ title }) => title);

  it('wants every word, in title, models or text', () => {
    expect([found(''), found(' '), found('order'), found('parcel LATE'), found('refunds parcel'), found('orders parcel'), found('m'), found('ord-1 sorry')]).toEqual([
      ['Orders', 'Refunds'], ['Orders', 'Refunds'], ['Orders', 'Refunds'], ['Refunds'], ['Refunds'], [], ['Orders', 'Refunds'], ['Refunds'],
    ]);
  });

  it('shows where the text has it', () => {
    expect(findExcerpt(sessions[1]!, 'refunds late', texts.get('1'))).toBe('My Parcel is late gpt Sorry! get_order {"id":"ORD-1"}');
    expect(findExcerpt(sessions[1]!, 'late', `${'a'.repeat(100)} late ${'b'.repeat(100)}`)).toBe(`…${'a'.repeat(39)} late ${'b'.repeat(39)}…`);
    expect([findExcerpt(sessions[1]!, 'refunds', texts.get('1')), findExcerpt(sessions[0]!, 'late', undefined)]).toEqual([null, null]);
  });
});
