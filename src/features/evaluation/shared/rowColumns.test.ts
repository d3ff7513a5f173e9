import { describe, expect, it } from 'vitest';
import { parseRows } from './promptRows.ts';
import { assignExpected, guessExpected, toColumnNames } from './rowColumns.ts';

const CSV = 'question,gold,answer\none,1,eins\ntwo,,zwei\n';
const { rows } = parseRows(CSV, 'csv');
const plain = (column: string | null) =>
  assignExpected(rows, column).map(({ variables, expected }) => [Object.fromEntries(variables), expected]);

it.each([
  [['question', 'answer'], 'answer'],
  [['label', 'text', 'Expected Answer'], 'Expected Answer'],
  [['expected_output', 'expected', 'q'], 'expected'],
  [['q', ' Output'], ' Output'],
  [['prompt', 'completion'], 'completion'],
  [['q', 'unexpected', 'labels'], null],
  [['answer'], null],
  [['expected'], 'expected'],
  [[], null],
])('of the columns %j the expected answer is %j', (names, expected) => expect(guessExpected(names)).toBe(expected));

it('a column that a prompt asks for is not the expected answer', () => {
  expect(guessExpected(['input', 'output', 'label'], ['output'])).toBe('label');
  expect(guessExpected(['input', 'output'], ['output'])).toBeNull();
});

describe('the expected answer', () => {
  it('comes out of any column, which is a variable no longer', () => {
    expect(plain('gold')).toEqual([
      [{ question: 'one', answer: 'eins' }, '1'],
      [{ question: 'two', answer: 'zwei' }, ''],
    ]);
  });

  it('is none where none is wanted, or the row has no such column', () => {
    expect(plain(null).map(([, expected]) => expected)).toEqual([null, null]);
    const [first] = assignExpected(parseRows('{"a":"1"}\n{"b":"2"}', 'jsonl').rows, 'b');
    expect(first?.expected).toBeNull();
  });

  it('of a chat stays its own', () => {
    const chats = parseRows(
      '{"messages":[{"role":"user","content":"u"},{"role":"assistant","content":"a"}],"label":"x"}',
      'jsonl',
    ).rows;
    expect(assignExpected(chats, 'label')).toEqual(chats);
    expect(assignExpected(chats, null)).toEqual(chats);
    expect(toColumnNames(chats)).toEqual([]);
  });
});

it('names every column once', () =>
  expect(toColumnNames(parseRows('{"a":1,"b":2}\n{"c":3,"a":4}', 'jsonl').rows)).toEqual(['a', 'b', 'c']));
