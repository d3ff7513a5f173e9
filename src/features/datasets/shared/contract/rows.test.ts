import { describe, expect, it } from 'vitest';
import { toIssue } from '#core/contract/issues.ts';
import { FINDING_IDS } from '#features/datasets/shared/findings/findingKinds.ts';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import {
  findingListSchema,
  marksMadeSchema,
  marksRequestSchema,
  rowPageSchema,
  rowsQuerySchema,
  findingsQuerySchema,
  statisticsQuerySchema,
  statisticsSchema,
  wholeRowSchema,
} from './rows.ts';

describe('a page of rows is asked for', () => {
  it.each([
    {},
    { from: '10' },
    { limit: '200' },
    { search: 'x' },
    { search: 'ü'.repeat(DATA_LIMITS.search) },
    { tag: 'odd' },
    { side: 'training' },
    { mark: 'set_aside' },
    { positions: '0,999999999' },
    { from: '10', limit: '5', search: 'x', finding: 'leak', side: 'validation', mark: 'edited', tag: 'a b' },
    ...FINDING_IDS.map((finding) => ({ finding })),
  ])('with %j', (query) => expect(rowsQuerySchema.safeParse(query).success).toBe(true));

  it.each([
    { positions: '' },
    { positions: '1,,2' },
    { positions: '1234567890' },
    { positions: Array.from({ length: DATA_LIMITS.placed + 1 }, () => '1').join(',') },
    { from: '-1' },
    { from: '1e3' },
    { from: '' },
    { from: '1234567890' },
    { limit: 'all' },
    { limit: '0' },
    { limit: '201' },
    { from: '2147483648' },
    { finding: 'odd' },
    { side: 'test' },
    { mark: 'tagged' },
    { tag: ' ' },
    { search: 'x'.repeat(DATA_LIMITS.search + 1) },
    { other: '1' },
  ])('not with %j', (query) => expect(rowsQuerySchema.safeParse(query).success).toBe(false));
});

const SET_ASIDE = { change: 'set_aside', positions: [1, 2], is_set_aside: true };
const TAG = { change: 'tag', positions: [1], tag: 'odd', is_tagged: false };
const MARKS = { position: 1, is_set_aside: false, tags: [], edited: null };
const many = Array.from({ length: DATA_LIMITS.marks + 1 }, (_, position) => position);

describe('rows are marked', () => {
  it.each([
    SET_ASIDE,
    { ...SET_ASIDE, positions: many.slice(1) },
    TAG,
    { change: 'edit', position: 1, row: { messages: [] } },
    { change: 'edit', position: 1, row: null },
    { change: 'restore', rows: [] },
    { change: 'restore', rows: [MARKS, { ...MARKS, tags: ['a'], edited: { messages: [] } }] },
  ])('by request %#', (body) => expect(marksRequestSchema.safeParse(body).success).toBe(true));

  it.each([
    {},
    { ...SET_ASIDE, positions: [] },
    { ...SET_ASIDE, positions: many },
    { ...SET_ASIDE, positions: [-1] },
    { ...SET_ASIDE, positions: [0.5] },
    { ...SET_ASIDE, is_set_aside: 'yes' },
    { ...SET_ASIDE, tag: 'x' },
    { ...TAG, tag: ' ' },
    { ...TAG, tag: 'x'.repeat(DATA_LIMITS.tag + 1) },
    { change: 'edit', position: 1 },
    { change: 'edit', position: 1, row: 'x' },
    { change: 'restore', rows: [{ ...MARKS, tags: many.map(String) }] },
    { change: 'restore', rows: [{ ...MARKS, tags: ['a\ud83d'] }] },
    { change: 'delete', positions: [1] },
  ])('not by request %#', (body) => expect(marksRequestSchema.safeParse(body).success).toBe(false));

  it.each<[unknown, string | null, string]>([
    [{ change: 'x' }, 'change', 'change must be "set_aside", "tag", "edit", "clean_nulls" or "restore".'],
    [{}, 'change', 'change must be "set_aside", "tag", "edit", "clean_nulls" or "restore".'],
    [{ ...SET_ASIDE, is_set_aside: 'yes' }, 'is_set_aside', 'is_set_aside must be true or false.'],
    [{ ...SET_ASIDE, positions: [-1] }, 'positions[0]', 'positions[0] must be at least 0.'],
    [{ change: 'edit', position: 1, row: 'x' }, 'row', 'row must be an object.'],
    [[], null, 'The request body must be an object.'],
  ])('not by %j, and the field is named', (body, param, message) => {
    const parsed = marksRequestSchema.safeParse(body, { reportInput: true });
    expect(toIssue(parsed.error?.issues ?? [])).toEqual({ param, message });
  });
});

const SUMMARY = {
  position: 0,
  hash: '0123456789abcdef',
  side: null,
  messages: 2,
  tools: 0,
  characters: 7,
  tokens: null,
  question: 'Hi',
  answer: 'Hello',
  is_set_aside: false,
  tags: [],
  is_edited: false,
  other: null,
};

describe('a page of rows that is answered', () => {
  const page = { total: 1, rows: [SUMMARY], next: null, found: 1 };

  it('may be empty and have a next one', () => {
    expect(rowPageSchema.safeParse(page).success).toBe(true);
    expect(rowPageSchema.safeParse({ total: 9, rows: [], next: 5, found: null }).success).toBe(true);
  });

  it.each([
    { position: -1 },
    { position: null },
    { hash: 7 },
    { side: 'test' },
    { characters: 0.5 },
    { question: null },
    { tags: [''] },
    { tags: null },
    { is_edited: 'no' },
  ])('has no row with %j', (part) => {
    expect(rowPageSchema.safeParse({ ...page, rows: [{ ...SUMMARY, ...part }] }).success).toBe(false);
  });
});

describe('a finding that is answered', () => {
  const finding = { kind: 'leak', about: 'Twice.', count: 2, groups: [[1, 2]], group_count: 1, removable: [2] };
  const list = { state: 'done', progress: 1, error: null, is_old: false, findings: [finding] };

  it.each(FINDING_IDS)('may be %s', (kind) => {
    expect(findingListSchema.safeParse({ ...list, findings: [{ ...finding, kind }] }).success).toBe(true);
  });

  it.each([{ kind: 'odd' }, { groups: [1] }, { groups: [[-1]] }, { removable: null }, { count: 0.5 }])(
    'may not have %j',
    (part) => expect(findingListSchema.safeParse({ ...list, findings: [{ ...finding, ...part }] }).success).toBe(false),
  );
});

describe('one row that is answered', () => {
  const whole = {
    position: 3,
    hash: '0123456789abcdef',
    side: 'training',
    row: { messages: [{ role: 'user', content: 'Hi' }] },
    original: null,
    before: null,
    is_set_aside: false,
    tags: ['odd'],
    findings: [],
  };
  const finding = { kind: 'leak', about: 'It is on both sides.', others: [4] };

  it.each([
    {},
    { original: '{"prompt":"Hi"}' },
    { before: { messages: [] } },
    { side: null },
    { findings: [finding] },
    { findings: [{ ...finding, kind: 'of a later version' }] },
  ])('may have %j', (part) => expect(wholeRowSchema.safeParse({ ...whole, ...part }).success).toBe(true));

  it.each([
    { position: -1 },
    { row: [] },
    { row: null },
    { original: 3 },
    { before: 'x' },
    { side: 'both' },
    { findings: [{ ...finding, others: ['4'] }] },
    { findings: [{ kind: 'leak' }] },
    { findings: null },
  ])('may not have %j', (part) => expect(wholeRowSchema.safeParse({ ...whole, ...part }).success).toBe(false));
});

describe('statistics that are answered', () => {
  const none = { min: 0, median: 0, max: 0, total: 0, bins: [] };
  const statistics = {
    state: 'done',
    progress: 1,
    is_old: false,
    error: null,
    rows: 0,
    characters: none,
    tokens: null,
    messages: [],
    roles: [],
    tools: [],
    languages: [],
    tags: [],
    set_aside_count: 0,
    edited_count: 0,
  };
  const bin = { from: 0, to: 1, count: 2 };
  const counts = { rows: 0, trained: 0, cut_rows: 0, cut_tokens: 0, untrained_rows: 0, compared_rows: 0, error: null };
  const tokens = { model: 'support-base', context: 512, ...none, ...counts };

  it.each([
    {},
    { state: 'running', progress: 0 },
    { state: 'failed', error: 'The database is away.' },
    { characters: { ...none, bins: [bin, bin] } },
    { roles: [{ name: 'user', count: 3 }] },
    { tokens },
    { tokens: { ...tokens, context: null, error: 'There is no file of it.' } },
  ])('may have %j', (part) => expect(statisticsSchema.safeParse({ ...statistics, ...part }).success).toBe(true));

  it.each([
    { state: 'paused' },
    { progress: null },
    { rows: 0.5 },
    { characters: { ...none, median: -1 } },
    { characters: { ...none, bins: [{ from: 0, count: 2 }] } },
    { roles: [{ name: 'user' }] },
    { languages: { en: 3 } },
    { set_aside_count: null },
    { tokens: undefined },
    { tokens: { ...tokens, model: null } },
    { tokens: { ...tokens, cut_rows: -1 } },
  ])('may not have %j', (part) => expect(statisticsSchema.safeParse({ ...statistics, ...part }).success).toBe(false));
});

describe('the queries of statistics and findings', () => {
  it.each([
    [{}, true, true],
    [{ model: 'support-base' }, true, true],
    [{ model: 'support-base', context: '512' }, true, false],
    [{ model: '' }, false, false],
    [{ context: '0' }, false, false],
    [{ other: '1' }, false, false],
  ])('%j are taken: %s, %s', (query, ofStatistics, ofFindings) => {
    expect(statisticsQuerySchema.safeParse(query).success).toBe(ofStatistics);
    expect(findingsQuerySchema.safeParse(query).success).toBe(ofFindings);
  });
});

describe('marks that were made', () => {
  const made = { changed: 1, kept: 0, undo: { change: 'restore', rows: [MARKS] } };

  it('are answered with a request that is taken', () => {
    expect(marksMadeSchema.safeParse(made).success).toBe(true);
    expect(marksRequestSchema.safeParse(made.undo).success).toBe(true);
  });

  it.each([{ changed: -1 }, { undo: null }, { undo: { change: 'undo', rows: [] } }, { undo: { change: 'restore' } }])(
    'may not be %j',
    (part) => expect(marksMadeSchema.safeParse({ ...made, ...part }).success).toBe(false),
  );
});
