import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findingListSchema, marksMadeSchema, rowPageSchema, statisticsSchema, wholeRowSchema } from './rows.ts';
import { readFindings, readMarksMade, readRowPage, readStatistics, readWholeRow } from './rowsReader.ts';

const MARKS = { is_set_aside: true, tags: ['odd'] };

const SUMMARY = {
  position: 4,
  hash: '0123456789abcdef',
  side: 'validation',
  messages: 2,
  tools: 1,
  characters: 40,
  tokens: 11,
  question: 'Hi',
  answer: 'Hello',
  ...MARKS,
  is_edited: true,
  other: 12,
};

const STATISTICS = {
  state: 'running',
  progress: 0.5,
  is_old: true,
  error: null,
  rows: 9,
  characters: { min: 1, median: 2, max: 3, total: 18, bins: [{ from: 1, to: 2, count: 9 }] },
  tokens: {
    model: 'support-base',
    context: 512,
    rows: 9,
    min: 4,
    median: 5,
    max: 600,
    total: 700,
    bins: [{ from: 4, to: 5, count: 8 }],
    trained: 80,
    cut_rows: 1,
    cut_tokens: 88,
    untrained_rows: 1,
    error: null,
  },
  messages: [{ name: '2', count: 9 }],
  roles: [{ name: 'user', count: 9 }],
  tools: [{ name: 'search', count: 1 }],
  languages: [{ name: 'en', count: 9 }],
  tags: [{ name: 'odd', count: 1 }],
  set_aside_count: 1,
  edited_count: 0,
};

const FINDING = {
  kind: 'duplicate',
  about: 'The row is there twice.',
  count: 2,
  groups: [[1, 2]],
  group_count: 1,
  removable: [2],
};

const WHOLE = {
  page: { schema: rowPageSchema, read: readRowPage, body: { total: 9, rows: [SUMMARY], next: 5, found: null } },
  row: {
    schema: wholeRowSchema,
    read: readWholeRow,
    body: {
      position: 4,
      hash: '0123456789abcdef',
      side: null,
      row: { messages: [{ role: 'user', content: 'Hi' }] },
      original: '{"prompt":"Hi"}',
      before: { messages: [] },
      ...MARKS,
      findings: [{ kind: 'leak', about: 'It is on both sides.', others: [9] }],
    },
  },
  marks: {
    schema: marksMadeSchema,
    read: readMarksMade,
    body: {
      changed: 1,
      kept: 2,
      undo: {
        change: 'restore',
        rows: [{ position: 0, ...MARKS, edited: { messages: [] }, after: { ...MARKS, edited_hash: 'a1' } }],
      },
    },
  },
  statistics: { schema: statisticsSchema, read: readStatistics, body: STATISTICS },
  findings: {
    schema: findingListSchema,
    read: readFindings,
    body: { state: 'done', progress: 1, error: null, is_old: false, findings: [FINDING] },
  },
};

describe.each(Object.entries(WHOLE))('%s', (_name, { schema, read, body }) => {
  it('is read as our service sends it', () => {
    expect(schema.safeParse(body).error).toBeUndefined();
    expect(read(body)).toEqual({ ok: true, value: body });
  });

  it('is refused by our schema with a field that the contract does not have', () => {
    expect(schema.safeParse({ ...body, other: 1 }).success).toBe(false);
  });

  it('reads anything without a throw, and what it reads with every field', () => {
    const anything = fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom(...Object.keys(body)), fc.jsonValue()));
    fc.assert(
      fc.property(anything, (value) => {
        const result = read(value);
        if (result.ok) expect(Object.keys(result.value).sort()).toEqual(Object.keys(body).sort());
        else expect(result.reason).toMatch(/^it /);
      }),
    );
  });
});

describe('a page of rows', () => {
  it('has only rows with a position, whatever else they lack', () => {
    const read = readRowPage({ rows: [{ position: 7 }, {}, null, { position: 'x' }, { position: 1.5 }] });
    const row = {
      position: 7,
      hash: '',
      side: null,
      messages: 0,
      tools: 0,
      characters: 0,
      question: '',
      answer: '',
      is_set_aside: false,
      tags: [],
      tokens: null,
      is_edited: false,
      other: null,
    };
    expect(read).toEqual({ ok: true, value: { total: 1, rows: [row], next: null, found: null } });
  });

  it('has no side that it does not know, and only tags that are texts', () => {
    const read = readRowPage({ rows: [{ ...SUMMARY, side: 'test', tags: ['a', 3, null] }] });
    expect(read).toMatchObject({ ok: true, value: { rows: [{ side: null, tags: ['a'] }] } });
  });
});

describe('marks', () => {
  it.each([null, {}, { changed: 3 }, { undo: {} }, { undo: { rows: 'x' } }])('offer no undo in %j', (body) => {
    expect(readMarksMade(body)).toEqual({ ok: false, reason: 'it has no "undo"' });
  });

  it('keep in undo what was not edited as null', () => {
    const read = readMarksMade({ changed: 1, undo: { change: 'restore', rows: [{ position: 3, edited: 'x' }] } });
    const rows = [{ position: 3, is_set_aside: false, tags: [], edited: null }];
    expect(read).toEqual({ ok: true, value: { changed: 1, kept: 0, undo: { change: 'restore', rows } } });
  });
});

describe('work in the background', () => {
  it.each([
    ['running', 0.5, 'running', 0.5],
    ['failed', 2, 'failed', 1],
    ['done', -1, 'done', 0],
    ['resting', 'x', 'done', 0],
  ])('is %s at %s', (state, progress, readState, readProgress) => {
    const body = { state, progress, findings: [] };
    expect(readFindings(body)).toMatchObject({ ok: true, value: { state: readState, progress: readProgress } });
  });

  it('leaves out findings of a kind that the page has no filter for', () => {
    const read = readFindings({ state: 'done', findings: [FINDING, { ...FINDING, kind: 'odd' }] });
    expect(read).toMatchObject({ ok: true, value: { findings: [{ kind: 'duplicate' }] } });
    expect(read.ok && read.value.findings.length).toBe(1);
  });

  it('reads statistics that lack parts', () => {
    const read = readStatistics({ characters: {} });
    const empty = { min: 0, median: 0, max: 0, total: 0, bins: [] };
    expect(read).toMatchObject({ ok: true, value: { rows: 0, characters: empty, roles: [], languages: [] } });
  });
});

describe('what another service sends otherwise', () => {
  it('a row without findings and marks', () => {
    const read = readWholeRow({ position: 3, row: { messages: [] } });
    expect(read).toEqual({
      ok: true,
      value: {
        position: 3,
        hash: '',
        side: null,
        row: { messages: [] },
        original: null,
        before: null,
        is_set_aside: false,
        tags: [],
        findings: [],
      },
    });
  });

  it.each([null, [], {}, { row: 'x' }, { row: [] }])('is no row in %j', (body) => {
    expect(readWholeRow(body)).toEqual({ ok: false, reason: 'it has no row' });
  });

  it.each([null, 'x', {}, { rows: {} }])('are no rows in %j', (body) => {
    expect(readRowPage(body)).toEqual({ ok: false, reason: 'it has no rows' });
  });
});
