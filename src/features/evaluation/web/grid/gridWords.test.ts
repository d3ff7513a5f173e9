import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { toPassRate } from '#features/evaluation/shared/passRate.ts';
import { parseRows } from '#features/evaluation/shared/promptRows.ts';
import type { CellAnswer } from './gridBook.ts';
import type { HoldCause } from './gridBackoff.ts';
import {
  countTools,
  needsTools,
  toCellText,
  toComparisons,
  toEarlierText,
  toExpectedText,
  toHoldText,
  toMessageText,
  toPairText,
  toPairTip,
  toProgressText,
  toQuestion,
  toLeftOutText,
  toRateText,
  toResultText,
  toRowsText,
  toSavedText,
} from './gridWords.ts';

const compare = (counts: readonly (readonly [number, number])[], reference = 0) =>
  toComparisons(
    counts.map(([referenceAlone, ownAlone]) => ({ rows: 50, referenceAlone, ownAlone })),
    reference,
  ).flatMap((one) => one ?? []);

it('says a pass rate with its interval', () => {
  expect(toRateText(toPassRate(41, 50))).toBe('82 % (69.2–90.2) of 50 checked answers');
  expect(toRateText(toPassRate(0, 0))).toBeNull();
});

it.each([
  [999, 1000, '99.9 % (99.4–99.98) of 1,000 checked answers'],
  [1, 1000, '0.1 % (0.02–0.6) of 1,000 checked answers'],
  [99_999, 100_000, '99.999 % (99.99–99.9998) of 100,000 checked answers'],
  [1000, 1000, '100 % (99.6–100) of 1,000 checked answers'],
  [0, 1000, '0 % (0–0.4) of 1,000 checked answers'],
])('rounds %i of %i neither to all nor to none', (passed, total, text) =>
  expect(toRateText(toPassRate(passed, total))).toBe(text),
);

it('says 100 % of all and 0 % of none alone', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000 }), fc.nat(), (total, some) => {
      const passed = some % (total + 1);
      const [rate, low, high] =
        /^(\S+) % \((\S+)–(\S+)\)/.exec(toRateText(toPassRate(passed, total)) ?? '')?.slice(1) ?? [];
      expect([rate === '100', rate === '0', high === '100', low === '0']).toEqual([
        passed === total,
        passed === 0,
        passed === total,
        passed === 0,
      ]);
    }),
  );
});

it.each([
  [{ failed: 3, unchecked: 2, unasked: 5 }, 'Left out: 3 without an answer, 2 not checked, 5 not asked yet'],
  [{ failed: 0, unchecked: 1, unasked: 0 }, 'Left out: 1 not checked'],
  [{ failed: 0, unchecked: 0, unasked: 0 }, null],
])('the rows that a pass rate leaves out are told: %j', (counts, text) => {
  const result = { done: 50, meanMs: null, pair: null, ...counts };
  expect(toLeftOutText({ ...result, rate: toPassRate(41, 50) })).toBe(text);
});

it('rows that nothing was asked of yet are left out of no rate', () => {
  const result = { done: 0, failed: 2, unchecked: 0, unasked: 48, meanMs: null, pair: null };
  expect(toLeftOutText({ ...result, rate: toPassRate(0, 0) })).toBe('2 without an answer');
});

it('says that there is nothing to check only where answers are there', () => {
  expect(toResultText({ rate: toPassRate(0, 0), unchecked: 3 })).toBe('nothing to check');
  expect(toResultText({ rate: toPassRate(0, 0), unchecked: 0 })).toBeNull();
  expect(toResultText({ rate: toPassRate(41, 50), unchecked: 3 })).toBe('82 % (69.2–90.2) of 50 checked answers');
});

it.each([
  [
    { settled: 1234, total: 20_000, share: 0.06, remainingMs: 180_000 },
    4,
    '1,234 of 20,000 · about 3 min left · 4 cells without an answer',
  ],
  [{ settled: 5, total: 9, share: 0.5, remainingMs: 300 }, 0, '5 of 9 · about 1 s left'],
  [{ settled: 9, total: 9, share: 1, remainingMs: 0 }, 0, '9 of 9'],
  [{ settled: 0, total: 9, share: 0, remainingMs: null }, 0, '0 of 9'],
])('says how far it is: %j', (progress, failed, text) => expect(toProgressText(progress, failed)).toBe(text));

it('says that only failed cells are asked for', () => {
  expect(toProgressText({ settled: 12, total: 2000, share: 0, remainingMs: 4000 }, 0, 2)).toBe(
    '12 of 2,000 · retrying 2 cells · about 4 s left',
  );
});

it.each<[HoldCause, boolean, number, string | null, string]>([
  ['busy', true, 120_000, null, 'waiting for the service, which asks to wait, tries again in 2 min 00 s'],
  ['away', true, 4_001, null, 'waiting for the service, which asks to wait, tries again in 5 s'],
  ['busy', false, 59_000, null, 'waiting for the service, which is busy, tries again in 59 s'],
  ['away', false, -20, null, 'waiting for the service, tries again in 1 s'],
  ['away', false, 4_000, 'm1', 'waiting for m1, tries again in 4 s'],
])('says why it waits and how long: %s, asked %s, %i ms, model %s', (cause, isFromService, ms, model, text) =>
  expect(toHoldText({ cause, isFromService, ms, model })).toBe(text),
);

it('says of a saved file what is not exact in it', () => {
  expect(toSavedText('grid.jsonl', 0)).toBe('grid.jsonl saved');
  expect(toSavedText('grid.csv', 1074)).toBe(
    'grid.csv saved. 1,074 texts beginning with = + - or @ got an apostrophe in front, so that no spreadsheet ' +
      'runs a formula. JSONL has the exact texts.',
  );
});

it.each([
  [6, 4, '−2 rows vs. column 1 (p 0.75)'],
  [1, 9, '+8 rows vs. column 1 (p 0.021)'],
  [2, 2, '±0 rows vs. column 1 (p 1)'],
  [0, 40, '+40 rows vs. column 1 (p < 0.001)'],
])('compares columns on the same rows: %i to %i', (referenceAlone, ownAlone, text) =>
  expect(compare([[referenceAlone, ownAlone]]).map(toPairText)).toEqual([text]),
);

it('says in full how columns compare', () => {
  expect(compare([[6, 4]]).map((one) => toPairTip(one, 'a', 'b'))).toEqual([
    '50 rows checked in both columns: only a passes 6, only b passes 4. p 0.75: exact McNemar test, two-sided.',
  ]);
});

it('of several comparisons it gives the adjusted p, and says what it is', () => {
  const [first, second, third] = compare(
    [
      [1, 9],
      [0, 40],
      [2, 2],
    ],
    2,
  );
  expect([first, second, third].map((one) => one && toPairText(one))).toEqual([
    '+8 rows vs. column 3 (adj. p 0.043)',
    '+40 rows vs. column 3 (adj. p < 0.001)',
    '±0 rows vs. column 3 (adj. p 1)',
  ]);
  expect(first && toPairTip(first, 'a', 'b')).toMatch(
    /p 0\.021: exact McNemar test, two-sided\. With 3 comparisons, one may look significant by chance. Adjusted for that \(Holm\): p 0\.043\.$/,
  );
  expect(toComparisons([null, { rows: 5, referenceAlone: 1, ownAlone: 2 }], 0)).toEqual([
    null,
    expect.objectContaining({ comparisons: 1 }),
  ]);
});

it('says what became of answers to an earlier prompt, without the whole of a long one', () => {
  expect(toEarlierText('{{q}}', 1)).toBe(
    'The prompt has changed. Pass rates do not count 1 answer to the earlier prompt “{{q}}”. The next run replaces them.',
  );
  expect(toEarlierText('a'.repeat(81), 2000)).toContain(`2,000 answers to the earlier prompt “${'a'.repeat(80)}…”`);
});

it.each([
  ['Paris', 'Paris'],
  ['[{"name":"f","arguments":{"a":1}},{"name":"g","arguments":{}}]', 'f {"a":1}\ng {}'],
  ['[{"name":"Ada","arguments":"{"}]', '[{"name":"Ada","arguments":"{"}]'],
  ['[{"name":"Ada","age":36}]', '[{"name":"Ada","age":36}]'],
  ['[{"name":"Ada"}]', '[{"name":"Ada"}]'],
])('shows what a row expects: %s', (expected, text) => expect(toExpectedText(expected)).toBe(text));

it.each([
  ['{"messages":[{"role":"user","content":"u"},{"role":"assistant","tool_calls":[{"name":"f"}]}]}', true],
  ['{"messages":[{"role":"user","content":"u"}],"tools":[{"type":"function"}]}', false],
  ['{"messages":[{"role":"user","content":"u"},{"role":"assistant","content":"a"}]}', false],
  ['{"q":"u","tools":"hammer"}', false],
  ['{"messages":[{"role":"user","content":"u"}],"tools":[]}', false],
  ['{"messages":[{"role":"user","content":"u"}],"tools":"[ ]"}', false],
  ['{"messages":[{"role":"user","content":"u"}],"tools":""}', false],
  [
    '{"messages":[{"role":"user","content":"u"},{"role":"assistant","content":"[{\\"name\\":\\"Ada\\",\\"age\\":36}]"}]}',
    false,
  ],
  [
    '{"messages":[{"role":"user","content":"u"},{"role":"assistant","tool_calls":[{"name":"f"}]},{"role":"tool","content":"7"},{"role":"assistant","content":"a"}]}',
    true,
  ],
])('knows rows that need tools: %s', (line, isNeeded) =>
  expect(parseRows(line, 'jsonl').rows.map(needsTools)).toEqual([isNeeded]),
);

it('counts rows with tools of their own, with others that can’t be sent, and without those that they call', () => {
  const user = '"messages":[{"role":"user","content":"u"}';
  const lines = [
    `{${user}],"tools":[{"name":"f"}]}`,
    `{${user}],"tools":[{"type":"function"}]}`,
    `{${user},{"role":"assistant","tool_calls":[{"name":"f"}]}]}`,
    `{${user}]}`,
  ];
  expect(countTools(parseRows(lines.join('\n'), 'jsonl').rows)).toEqual({
    own: 1,
    unusable: 1,
    reason: expect.stringContaining('row 2'),
    lacking: 1,
  });
});

it('shows what a row asks', () => {
  const row = { number: 1, messages: null, variables: new Map([['q', 'x']]), expected: null };
  expect(toQuestion(row, 'Say {{q}}')).toBe('Say x');
  expect(toQuestion(row, 'Say {{q}} to {{who}}', { q: 'y', who: 'Ada' })).toBe('Say x to Ada');
  expect(
    toQuestion(
      {
        ...row,
        messages: [
          { role: 'system', content: 's' },
          { role: 'user', content: 'u' },
        ],
      },
      'Say',
    ),
  ).toBe('u');
  expect([toRowsText(1), toRowsText(2000)]).toEqual(['1 row', '2,000 rows']);
});

it('shows what a message says and calls', () => {
  const call = { id: 'call_0', type: 'function', function: { name: 'find', arguments: '{"a":1}' } } as const;
  expect(toMessageText('Let me look.', [call, call])).toBe('Let me look.\nfind {"a":1}\nfind {"a":1}');
  expect(toMessageText('\n\n', [call])).toBe('find {"a":1}');
  expect([toMessageText(null, [call]), toMessageText('Hi', []), toMessageText(undefined, [])]).toEqual([
    'find {"a":1}',
    'Hi',
    '',
  ]);
});

const toDone = (text: string, toolCalls: CellAnswer['toolCalls'] = []) => ({
  state: 'done' as const,
  answer: { text, toolCalls, finish_reason: 'stop', completion_tokens: 1, ms: 1 },
});

it.each([
  ['**Yes**, `f`.', 'Yes, f.'],
  ['```{"a":1}```', '{"a":1}'],
  ['```python print(1)```', 'python print(1)'],
  ['---', '---'],
  ['|---|---|', '|---|---|'],
  [`${'\n'.repeat(1000)}late`, 'late'],
  ['a'.repeat(500), 'a'.repeat(400)],
  [' \n', '(empty answer)'],
])('a cell shows what the answer %j says: %j', (text, shown) => expect(toCellText(toDone(text))).toBe(shown));

it('a cell shows calls before the text, a failure’s message, and nothing of what has not come', () => {
  expect(toCellText(toDone('\n\n', [{ name: 'f', arguments: '{}' }]))).toBe('f {}');
  expect(toCellText(toDone('Done.', [{ name: 'f', arguments: '{}' }]))).toBe('f {}\nDone.');
  expect([
    toCellText({ state: 'failed', message: 'no model', text: 'half' }),
    toCellText({ state: 'waiting' }),
  ]).toEqual(['no model', '']);
});
