import { describe, expect, it } from 'vitest';
import { toSearchText, toStoredHead, toSummary } from './sessionSummary.ts';
import { toTitle, UNTITLED } from '#features/playground/web/desk/sessionTitle.ts';

const record = {
  version: 2,
  savedAt: 7,
  draft: 'half',
  panes: [
    { model: 'm', turnIds: ['1', '2', 5] },
    { model: 'n', turnIds: [] },
  ],
  parked: [{ model: 'm', turnIds: ['3'] }],
};

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
    expect([
      ...titles,
      toSummary('a', record, ' ').title,
      toSummary('a', { ...record, draft: '' }, null).title,
    ]).toEqual(['Mine', 'First', 'half', UNTITLED]);
  });
});

it('sums a stored session up', () => {
  expect(toSummary('a', record, 'Hi')).toEqual({
    id: 'a',
    title: 'Hi',
    isNamed: false,
    savedAt: 7,
    turnCount: 2,
    models: ['m', 'n'],
    isDamaged: false,
  });
});

it.each([null, 'text', [], { panes: 4, savedAt: 'x', title: 9 }, { panes: [null, { model: 3, turnIds: 'a' }] }])(
  'reads damaged records: %j',
  (bad) => {
    expect(toStoredHead(bad)).toEqual({ turnIds: [], models: [] });
    expect(toSummary('a', bad, null)).toMatchObject({ title: UNTITLED, savedAt: 0, turnCount: 0 });
  },
);

it('has every text that a person may remember for the search', () => {
  const turns = [
    { role: 'user', content: 'My Parcel is late' },
    {
      role: 'assistant',
      versions: [
        { model: 'gpt', message: { text: 'Sorry!', toolCalls: [{ name: 'get_order', arguments: '{"id":"ORD-1"}' }] } },
        null,
      ],
    },
    'damaged',
  ];
  expect(toSearchText(turns)).toBe('My Parcel is late\ngpt\nSorry!\nget_order {"id":"ORD-1"}');
});
