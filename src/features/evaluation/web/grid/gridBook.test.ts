import { describe, expect, it } from 'vitest';
import type { PromptRow } from '#features/evaluation/shared/promptRow.ts';
import {
  countAnswers,
  countRemaining,
  openGridBook,
  toAnswerKey,
  toAnswerText,
  toWholeText,
  type CellAnswer,
  type GridCell,
  type GridSetup,
} from './gridBook.ts';

const ANSWER: CellAnswer = { text: 'yes', toolCalls: [], finish_reason: 'stop', completion_tokens: 1, ms: 10 };
const row = (number: number): PromptRow => ({ number, messages: null, variables: new Map(), expected: null });
const SETUP: GridSetup = {
  id: 'g',
  prompt: 'Hi',
  rows: [row(1), row(2), row(3)],
  columns: ['a', 'b'].map((id) => ({ id, label: id, request: { model: id, messages: [] } })),
};

it('counts cells by state, and says that something changed', () => {
  const book = openGridBook(SETUP);
  const changed: number[] = [];
  const stop = book.subscribe((places) => void changed.push(...places));
  book.setCell(0, { state: 'running' });
  book.setCell(0, { state: 'done', answer: ANSWER });
  book.setCell(5, { state: 'failed', message: 'x', text: '' });
  expect({ ...book.counts }).toEqual({ waiting: 4, running: 0, done: 1, failed: 1, earlier: 0 });
  expect(changed).toEqual([0, 0, 5]);
  stop();
  book.setCell(1, { state: 'running' });
  expect(changed).toHaveLength(3);
});

it('ignores a place that is none', () => {
  const book = openGridBook(SETUP);
  book.setCell(99, { state: 'running' });
  expect({ ...book.counts }).toEqual({ waiting: 6, running: 0, done: 0, failed: 0, earlier: 0 });
});

it('puts failed cells back to waiting, and no others', () => {
  const book = openGridBook(SETUP);
  book.setCell(1, { state: 'failed', message: 'x', text: '' });
  book.setCell(2, { state: 'done', answer: ANSWER });
  book.retryFailed();
  expect({ ...book.counts }).toEqual({ waiting: 5, running: 0, done: 1, failed: 0, earlier: 0 });
});

it('takes a clearing back', () => {
  const book = openGridBook(SETUP);
  book.setCell(2, { state: 'done', answer: ANSWER });
  const before = book.clear(new Set(['done']));
  expect(book.counts.done).toBe(0);
  book.setCells(before);
  expect(book.cells[2]).toEqual({ state: 'done', answer: ANSWER });
});

it('takes up what was known; what ran then waits again', () => {
  const known = new Map<number, GridCell>([
    [0, { state: 'done', answer: ANSWER }],
    [1, { state: 'running' }],
    [77, { state: 'running' }],
  ]);
  const book = openGridBook(SETUP, known);
  expect(book.cells.map((cell) => cell.state)).toEqual(['done', 'waiting', 'waiting', 'waiting', 'waiting', 'waiting']);
});

describe('an answer to an earlier prompt', () => {
  const earlier = { state: 'done', answer: ANSWER, earlier: 'Hello' } as const;
  const failed = { state: 'failed', message: 'x', text: '', kept: earlier } as const;

  it('counts as none of now, but is to be asked for', () => {
    const { counts } = openGridBook(
      SETUP,
      new Map<number, GridCell>([
        [0, earlier],
        [1, { state: 'done', answer: ANSWER }],
      ]),
    );
    expect([{ ...counts }, countAnswers(counts), countRemaining(counts)]).toEqual([
      { waiting: 4, running: 0, done: 1, failed: 0, earlier: 1 },
      2,
      5,
    ]);
  });

  it('is there again when what was asked instead has not come, or is to be asked once more', () => {
    const book = openGridBook(
      SETUP,
      new Map<number, GridCell>([
        [0, { state: 'running', kept: earlier }],
        [1, failed],
      ]),
    );
    expect([book.cells[0], book.counts.failed]).toEqual([earlier, 1]);
    book.retryFailed();
    expect([book.cells[1], book.counts.earlier]).toEqual([earlier, 2]);
  });

  it('goes when answers are cleared', () => {
    const book = openGridBook(
      SETUP,
      new Map<number, GridCell>([
        [0, earlier],
        [1, failed],
      ]),
    );
    expect([...book.clear(new Set(['failed', 'earlier']))]).toEqual([
      [0, earlier],
      [1, failed],
    ]);
    expect(book.counts.waiting).toBe(6);
  });
});

describe('an answer as text', () => {
  it('is its text', () => expect(toAnswerText(ANSWER)).toBe('yes'));
  it('is its tool calls where there is no text', () => {
    expect(toAnswerText({ ...ANSWER, text: '', toolCalls: [{ name: 'f', arguments: '{}' }] })).toBe(
      '[{"name":"f","arguments":{}}]',
    );
  });
  it('is its tool calls where white space stands before them', () => {
    const answer = { ...ANSWER, text: '\n\n', toolCalls: [{ name: 'f', arguments: '{}' }] };
    expect([toAnswerText(answer), toWholeText(answer)]).toEqual([
      '[{"name":"f","arguments":{}}]',
      '[{"name":"f","arguments":{}}]',
    ]);
    expect([toAnswerText({ ...ANSWER, text: ' ' }), toWholeText({ ...answer, text: 'So: ' })]).toEqual([
      ' ',
      'So:\n[{"name":"f","arguments":{}}]',
    ]);
  });
  it('of deep calls is there, and found', () => {
    const deep = `{"a":${'['.repeat(8000)}${']'.repeat(8000)}}`;
    const answer = { ...ANSWER, text: '', toolCalls: [{ name: 'f', arguments: deep }] };
    for (const text of [toAnswerText(answer), toWholeText(answer), toAnswerKey(answer)])
      expect(JSON.parse(text)).toEqual([{ name: 'f', arguments: deep }]);
  });
});
