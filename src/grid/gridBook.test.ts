import { describe, expect, it } from 'vitest';
import type { PromptRow } from '../evaluation/promptRows';
import { openGridBook, toAnswerText, type CellAnswer, type GridCell, type GridSetup } from './gridBook';

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
  expect({ ...book.counts }).toEqual({ waiting: 4, running: 0, done: 1, failed: 1 });
  expect(changed).toEqual([0, 0, 5]);
  stop();
  book.setCell(1, { state: 'running' });
  expect(changed).toHaveLength(3);
});

it('ignores a place that is none', () => {
  const book = openGridBook(SETUP);
  book.setCell(99, { state: 'running' });
  expect({ ...book.counts }).toEqual({ waiting: 6, running: 0, done: 0, failed: 0 });
});

it('puts failed cells back to waiting, and no others', () => {
  const book = openGridBook(SETUP);
  book.setCell(1, { state: 'failed', message: 'x', text: '' });
  book.setCell(2, { state: 'done', answer: ANSWER });
  const before = book.reset(new Set(['failed']));
  expect([...before]).toEqual([[1, { state: 'failed', message: 'x', text: '' }]]);
  expect({ ...book.counts }).toEqual({ waiting: 5, running: 0, done: 1, failed: 0 });
});

it('takes a reset back', () => {
  const book = openGridBook(SETUP);
  book.setCell(2, { state: 'done', answer: ANSWER });
  const before = book.reset(new Set(['done']));
  expect(book.counts.done).toBe(0);
  book.setCells(before);
  expect(book.cells[2]).toEqual({ state: 'done', answer: ANSWER });
});

it('takes up what was known; what ran then waits again', () => {
  const known = new Map<number, GridCell>([[0, { state: 'done', answer: ANSWER }], [1, { state: 'running' }], [77, { state: 'running' }]]);
  const book = openGridBook(SETUP, known);
  expect(book.cells.map((cell) => cell.state)).toEqual(['done', 'waiting', 'waiting', 'waiting', 'waiting', 'waiting']);
});

describe('an answer as text', () => {
  it('is its text', () => expect(toAnswerText(ANSWER)).toBe('yes'));
  it('is its tool calls where there is no text', () => {
    expect(toAnswerText({ ...ANSWER, text: '', toolCalls: [{ name: 'f', arguments: '{}' }] })).toBe('[{"name":"f","arguments":"{}"}]');
  });
});
