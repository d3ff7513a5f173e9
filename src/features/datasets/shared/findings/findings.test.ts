import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatRow } from '#core/rows/chatRow.ts';
import { toContentHash, toQuestionHash } from '#features/datasets/shared/contentHash.ts';
import type { Side } from '#features/datasets/shared/split.ts';
import { FINDING_IDS, FINDING_KINDS } from './findingKinds.ts';
import { openFindings, type FindingOptions, type Findings } from './findings.ts';

interface Given {
  readonly row: ChatRow;
  readonly side?: Side;
  readonly tokens?: number;
}

const chat = (question: string, answer: string): ChatRow => ({
  messages: [
    { role: 'user', content: question },
    { role: 'assistant', content: answer },
  ],
});
/** Ids are 10, 11, 12... */
function find(given: readonly Given[], options: FindingOptions = { context: null }): Findings {
  const findings = openFindings(options);
  for (const [at, { row, side = null, tokens = null }] of given.entries()) {
    const hash = toContentHash(JSON.stringify(row));
    findings.add({ id: 10 + at, row, hash, question: toQuestionHash(row), side, tokens });
  }
  expect([...findings.finish()].at(-1)).toBe(1);
  return findings;
}
const found = (given: readonly Given[], options?: FindingOptions): Record<string, unknown> =>
  Object.fromEntries(
    find(given, options)
      .toFindings()
      .map(({ id, rows }) => [id, rows.map((row) => (row.other === null ? row.id : [row.id, row.other]))]),
  );

const LONG =
  'The parcel with the blue kettle that I ordered three weeks ago from your shop has still not arrived at my home ' +
  'address, and the tracking page has shown the same place for nine days now. Please tell me what has happened to it.';

describe('openFindings', () => {
  it('finds nothing in good rows', () => {
    const rows = ['Where is it?', 'How much?', LONG].map((text) => ({
      row: chat(text, `About ${text.length}`),
      tokens: 5,
    }));
    expect(find(rows, { context: 512 }).toFindings()).toEqual([]);
    expect(find([]).toFindings()).toEqual([]);
  });

  it('finds duplicates and contradictions by content and question', () => {
    const rows = [chat('a', '1'), chat('b', '1'), chat('a', '1'), chat('a', '2'), chat('a', '2'), chat('a', '1')];
    expect(found(rows.map((row) => ({ row })))).toEqual({
      duplicate: [
        [12, 10],
        [14, 13],
        [15, 10],
      ],
      contradiction: [
        [10, 13],
        [12, 13],
        [13, 10],
        [14, 10],
        [15, 13],
      ],
      outvoted: [
        [13, 10],
        [14, 10],
      ],
    });
  });

  it('does not call a missing answer another answer', () => {
    const open = { messages: [{ role: 'user' as const, content: 'a' }] };
    expect(found([{ row: open }, { row: chat('a', '1') }])).toEqual({ 'no-answer': [10] });
    expect(found([{ row: chat('a', '1') }, { row: open }, { row: chat('a', '2') }])).toMatchObject({
      contradiction: [
        [10, 12],
        [12, 10],
      ],
    });
  });

  it('finds near duplicates, and pairs each with the first one', () => {
    const rows = [
      LONG,
      LONG.replace('blue', 'red'),
      LONG.toUpperCase().replaceAll(' ', '\n '),
      'x'.repeat(300),
      LONG.slice(0, 100),
    ];
    const near = find(rows.map((text) => ({ row: chat(text, 'We look into it.') })));
    expect(near.toFindings()).toMatchObject([
      {
        id: 'near-duplicate',
        count: 2,
        rows: [
          { id: 11, other: 10 },
          { id: 12, other: 10, note: 'About 100 % the same.' },
        ],
      },
    ]);
  });

  it.each([
    ['another label', 'car-reserve', 'car-find'],
    ['other JSON', '{"people":5,"city":"Vienna"}', '{"people":7,"city":"Vienna"}'],
    ['another number in a long text', `${LONG} It costs 50 EUR.`, `${LONG} It costs 70 EUR.`],
    ['another long text', LONG, LONG.split(' ').toReversed().join(' ')],
    ['no answer', 'car-find', ''],
  ])('rows whose answers differ are no near duplicates: %s', (_, answer, other) => {
    const rows = [chat(LONG, answer), chat(LONG.replace('blue', 'red'), other)].map((row) => ({ row }));
    expect(found(rows)).not.toHaveProperty('near-duplicate');
  });

  it.each([
    ['the same label, written otherwise', 'Car-Find', ' car-find\n'],
    ['the same JSON', '{"people": 5}', '{"people": 5}'],
    ['a long text with other words', `${LONG} It costs 50 EUR.`, `${LONG.replace('weeks', 'months')} It costs 50 EUR.`],
  ])('rows whose answers say the same are near duplicates: %s', (_, answer, other) => {
    const rows = [chat(LONG, answer), chat(LONG.replace('blue', 'red'), other)].map((row) => ({ row }));
    expect(found(rows)).toEqual({ 'near-duplicate': [[11, 10]] });
  });

  it('a close question with another answer in training is no near leak', () => {
    const given: Given[] = [
      { row: chat(LONG, 'for 5'), side: 'training' },
      { row: chat(LONG.replace('blue', 'red'), 'for 7'), side: 'validation' },
    ];
    expect(found(given)).toEqual({});
  });

  it('does not count system prompts as what rows have in common', () => {
    const withSystem = (text: string): ChatRow => ({
      messages: [{ role: 'system', content: LONG.repeat(5) }, ...chat(text, 'y').messages],
    });
    const texts = [
      'My invoice of the last month shows a wrong sum, please check it.',
      'How do I set another password for the account of my son?',
    ];
    expect(found(texts.map((text) => ({ row: withSystem(text) })))).toEqual({});
  });

  it('finds leaks: exact ones by question, near ones by text', () => {
    const training = 'training' as const;
    const validation = 'validation' as const;
    const given: Given[] = [
      { row: chat(LONG, '1'), side: validation },
      { row: chat(LONG.replace('blue', 'red'), '1'), side: training },
      { row: chat('q', '1'), side: training },
      { row: chat('q', '2'), side: validation },
      { row: chat('only here', '2'), side: validation },
      { row: chat('only here', '2'), side: validation },
      { row: chat('q', '1') },
    ];
    expect(found(given)).toMatchObject({ leak: [[13, 12]], 'near-leak': [[10, 11]] });
  });

  it('sees the side of an exact copy in a near leak', () => {
    const copy = LONG.replace('blue', 'red');
    const given: Given[] = [
      { row: chat(LONG, '1'), side: 'validation' },
      { row: chat(copy, '1') },
      { row: chat(copy, '1'), side: 'training' },
    ];
    expect(found(given)).toMatchObject({ 'near-leak': [[10, 12]] });
  });

  it('finds rows that the context cuts, only where tokens were counted', () => {
    const given = [5, 8, 9].map((tokens) => ({ row: chat(`q${tokens}`, 'a'), tokens }));
    expect(found([...given, { row: chat(LONG, 'a') }], { context: 8 })).toEqual({ 'too-long': [12] });
    expect(found(given)).toEqual({});
  });

  it('finds what is unusually short or long', () => {
    const rows = Array.from({ length: 200 }, (_, at) => chat(`${at} ${'word '.repeat(40 + (at % 7))}`, 'Yes.'));
    rows[50] = chat('ok', 'ok');
    rows[60] = chat(Array.from({ length: 5000 }, (_, at) => `${at}`).join(' '), 'Yes.');
    const outliers = find(rows.map((row) => ({ row })));
    expect([...outliers.rowsOf('very-short')]).toEqual([60]);
    expect([...outliers.rowsOf('very-long')]).toEqual([70]);
    expect(outliers.toFindings().find(({ id }) => id === 'very-long')?.rows[0]?.note).toMatch(
      /^\d\d,\d{3} characters\.$/,
    );
  });

  it('bounds the rows that it names and counts all, the gravest first', () => {
    const rows = Array.from({ length: 50 }, () => chat('a', ''));
    const findings = find(
      rows.map((row) => ({ row })),
      { context: null, maxRows: 3 },
    );
    expect(findings.toFindings()).toMatchObject([
      { id: 'empty-answer', severity: 'error', count: 50, rows: [{ id: 10 }, { id: 11 }, { id: 12 }] },
      { id: 'duplicate', severity: 'warning', count: 49 },
    ]);
    expect(findings.rowsOf('duplicate')).toHaveLength(49);
  });

  it('can be stopped in the middle and still say what it knows', () => {
    const findings = openFindings({ context: null });
    const row = chat('a', '');
    findings.add({ id: 1, row, hash: toContentHash('x'), question: toQuestionHash(row), side: null, tokens: null });
    findings.finish().next();
    expect(findings.toFindings()).toMatchObject([{ id: 'empty-answer', count: 1 }]);
  });

  it('searches only so many rows for near duplicates', () => {
    const rows = [LONG, LONG.replace('blue', 'red'), LONG.replace('blue', 'green')].map((text) => ({
      row: chat(text, 'a'),
    }));
    expect(found(rows, { context: null, maxNear: 2 })).toEqual({ 'near-duplicate': [[11, 10]] });
  });

  it('finds every exact duplicate and contradiction of random rows', () => {
    const rows = fc.array(fc.tuple(fc.nat(3), fc.nat(2)), { maxLength: 40 });
    fc.assert(
      fc.property(rows, (pairs) => {
        const findings = find(pairs.map(([question, answer]) => ({ row: chat(`q${question}`, `a${answer}`) })));
        const keys = pairs.map(([question, answer]) => `${question}/${answer}`);
        const copies = keys.flatMap((key, at) => (keys.indexOf(key) < at ? [10 + at] : []));
        expect([...findings.rowsOf('duplicate')]).toEqual(copies);
        const questions = pairs.map(([question]) => question);
        const others = pairs.flatMap(([question, answer], at) =>
          pairs.some(([same, other]) => same === question && other !== answer) ? [10 + at] : [],
        );
        expect([...findings.rowsOf('contradiction')]).toEqual(others);
        const partners = [...findings.othersOf('contradiction')].map((other) => pairs[other - 1 - 10]!);
        expect(partners.map(([question]) => question)).toEqual(others.map((id) => questions[id - 10]));
        expect(partners.every(([, answer], at) => answer !== pairs[others[at]! - 10]![1])).toBe(true);
      }),
    );
  });
});

describe('FINDING_KINDS', () => {
  it('says in short sentences what, why and what to do', () => {
    for (const id of FINDING_IDS) {
      const { title, why, todo } = FINDING_KINDS[id];
      expect(title).toMatch(/^[A-Z][^.]*$/);
      expect(why).toMatch(/\.$/);
      expect(todo).toMatch(/\.$/);
    }
  });
});
