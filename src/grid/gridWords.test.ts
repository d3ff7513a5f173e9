import { expect, it } from 'vitest';
import { toPassRate } from '../evaluation/passRate';
import { parseRows } from '../evaluation/promptRows';
import type { CellAnswer } from './gridBook';
import { needsTools, toCellText, toEarlierText, toExpectedText, toMessageText, toPairText, toPairTip, toProgressText, toQuestion, toRateText, toResultText, toRowsText, toSavedText } from './gridWords';

it('says a pass rate with its interval', () => {
  expect(toRateText(toPassRate(41, 50))).toBe('82 % (69–90), 41 of 50');
  expect(toRateText(toPassRate(0, 0))).toBeNull();
});

it('says that there is nothing to check only where answers are there', () => {
  expect(toResultText({ rate: toPassRate(0, 0), unchecked: 3 })).toBe('nothing to check');
  expect(toResultText({ rate: toPassRate(0, 0), unchecked: 0 })).toBeNull();
  expect(toResultText({ rate: toPassRate(41, 50), unchecked: 3 })).toBe('82 % (69–90), 41 of 50');
});

it.each([
  [{ settled: 1234, total: 20_000, share: 0.06, leftMs: 180_000 }, 4, '1,234 of 20,000 · about 3 min left · 4 cells without an answer'],
  [{ settled: 5, total: 9, share: 0.5, leftMs: 300 }, 0, '5 of 9 · about 1 s left'],
  [{ settled: 9, total: 9, share: 1, leftMs: 0 }, 0, '9 of 9'],
  [{ settled: 0, total: 9, share: 0, leftMs: null }, 0, '0 of 9'],
])('says how far it is: %j', (progress, failed, text) => expect(toProgressText(progress, failed)).toBe(text));

it('says that only failed cells are asked for', () => {
  expect(toProgressText({ settled: 12, total: 2000, share: 0, leftMs: 4000 }, 0, 2)).toBe('12 of 2,000 · retrying 2 cells · about 4 s left');
});

it('says of a saved file what is not exact in it', () => {
  expect(toSavedText('grid.jsonl', 0)).toBe('grid.jsonl saved');
  expect(toSavedText('grid.csv', 1074)).toBe('grid.csv saved. 1,074 texts beginning with = + - or @ got an apostrophe in front, so that no spreadsheet runs a formula. JSONL has the exact texts.');
});

it.each([
  [6, 4, '−2 rows vs. column 1 (p 0.75)'],
  [1, 9, '+8 rows vs. column 1 (p 0.021)'],
  [2, 2, '±0 rows vs. column 1 (p 1)'],
  [0, 40, '+40 rows vs. column 1 (p < 0.001)'],
])('compares columns on the same rows: %i to %i', (firstAlone, ownAlone, text) => expect(toPairText({ rows: 50, firstAlone, ownAlone })).toBe(text));

it('says in full how columns compare', () => {
  expect(toPairTip({ rows: 50, firstAlone: 6, ownAlone: 4 }, 'a', 'b')).toBe('Of 50 rows judged in both columns a alone passes 6, b alone 4. p 0.75: exact McNemar test, two-sided.');
});

it('says what became of answers to an earlier prompt, without the whole of a long one', () => {
  expect(toEarlierText('{{q}}', 1)).toBe('The prompt has changed: 1 answer to “{{q}}” kept. Pass rates leave them out; a run asks anew and replaces them.');
  expect(toEarlierText('a'.repeat(81), 2000)).toContain(`2,000 answers to “${'a'.repeat(80)}…” kept`);
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
  ['{"messages":[{"role":"user","content":"u"}],"tools":[{"type":"function"}]}', true],
  ['{"messages":[{"role":"user","content":"u"},{"role":"assistant","content":"a"}]}', false],
  ['{"q":"u","tools":"hammer"}', false],
  ['{"messages":[{"role":"user","content":"u"}],"tools":[]}', false],
  ['{"messages":[{"role":"user","content":"u"}],"tools":"[ ]"}', false],
  ['{"messages":[{"role":"user","content":"u"}],"tools":""}', false],
  ['{"messages":[{"role":"user","content":"u"},{"role":"assistant","content":"[{\\"name\\":\\"Ada\\",\\"age\\":36}]"}]}', false],
  ['{"messages":[{"role":"user","content":"u"},{"role":"assistant","tool_calls":[{"name":"f"}]},{"role":"tool","content":"7"},{"role":"assistant","content":"a"}]}', true],
])('knows rows that need tools: %s', (line, isNeeded) => expect(parseRows(line, 'jsonl').rows.map(needsTools)).toEqual([isNeeded]));

it('shows what a row asks', () => {
  const row = { number: 1, messages: null, variables: new Map([['q', 'x']]), expected: null };
  expect(toQuestion(row, 'Say {{q}}')).toBe('Say x');
  expect(toQuestion({ ...row, messages: [{ role: 'system', content: 's' }, { role: 'user', content: 'u' }] }, 'Say')).toBe('u');
  expect([toRowsText(1), toRowsText(2000)]).toEqual(['1 row', '2,000 rows']);
});

it('shows what a message says and calls', () => {
  const call = { id: 'call_0', type: 'function', function: { name: 'find', arguments: '{"a":1}' } } as const;
  expect(toMessageText('Let me look.', [call, call])).toBe('Let me look.\nfind {"a":1}\nfind {"a":1}');
  expect(toMessageText('\n\n', [call])).toBe('find {"a":1}');
  expect([toMessageText(null, [call]), toMessageText('Hi', []), toMessageText(undefined, [])]).toEqual(['find {"a":1}', 'Hi', '']);
});

const toDone = (text: string, toolCalls: CellAnswer['toolCalls'] = []) => ({ state: 'done' as const, answer: { text, toolCalls, finish_reason: 'stop', completion_tokens: 1, ms: 1 } });

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
  expect([toCellText({ state: 'failed', message: 'no model', text: 'half' }), toCellText({ state: 'waiting' })]).toEqual(['no model', '']);
});
