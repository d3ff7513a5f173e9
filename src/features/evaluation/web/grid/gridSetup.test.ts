import { describe, expect, it } from 'vitest';
import { parseRows } from '#features/evaluation/shared/promptRows.ts';
import { openGridBook, type GridBook, type GridColumn, type GridSetup, type SettledCell } from './gridBook.ts';
import {
  appendRows,
  carryOver,
  changeRow,
  EMPTY_SETUP,
  findEarlierPrompts,
  findMissingVariables,
  isSameColumns,
  isSameRequests,
  removeRow,
  replaceRows,
  rowVariables,
  findAllPrompts,
  toFittingPrompt,
  toWrittenRow,
} from './gridSetup.ts';

const column = (id: string, system = ''): GridColumn => ({
  id,
  label: id,
  request: { model: id, messages: system === '' ? [] : [{ role: 'system', content: system }] },
});
const SETUP: GridSetup = {
  ...EMPTY_SETUP,
  prompt: '{{q}}',
  rows: parseRows('q,expected\none,1\ntwo,2\nthree,\n', 'csv').rows,
  columns: [column('a'), column('b')],
};
const done = (text: string): SettledCell & { readonly state: 'done' } => ({
  state: 'done',
  answer: { text, toolCalls: [], finish_reason: 'stop', completion_tokens: 1, ms: 1 },
});

function toBook(): GridBook {
  const book = openGridBook(SETUP);
  for (let at = 0; at < 6; at += 1) book.setCell(at, done(String(at)));
  return book;
}

/** Answers by place after a change; a dot is a waiting cell. */
function texts(next: GridSetup): string {
  const book = openGridBook(next, carryOver(toBook(), next));
  return book.cells.map((cell) => (cell.state === 'done' ? cell.answer.text : '.')).join('');
}

describe('answers after a change', () => {
  const [first, second, third] = SETUP.rows;
  const rows = first && second && third ? [first, second, third] : [];

  it('stay where rows are added, taken away or turned round', () => {
    expect(texts(appendRows(SETUP, [toWrittenRow(new Map([['q', 'four']]), null)]))).toBe('012345..');
    expect(texts(removeRow(SETUP, 1))).toBe('0145');
    expect(texts(replaceRows(SETUP, rows.toReversed()))).toBe('452301');
  });

  it('stay where only the expected answer changes', () => {
    expect(texts(changeRow(SETUP, 1, { ...(second ?? rows[0]!), expected: 'other' }))).toBe('012345');
  });

  it('go with the question', () => {
    expect(texts(changeRow(SETUP, 1, toWrittenRow(new Map([['q', 'new']]), '2')))).toBe('01..45');
  });

  it('stay with another prompt, marked, and are of now again with the one they were asked with', () => {
    const other = { ...SETUP, prompt: 'Say {{q}}' };
    const third = { ...SETUP, prompt: '{{q}}?' };
    const book = openGridBook(other, carryOver(toBook(), other));
    expect(book.cells[3]).toEqual({ ...done('3'), earlier: '{{q}}' });
    book.setCell(0, done('new'));
    book.setCell(1, { state: 'failed', message: 'no', text: '', kept: { ...done('1'), earlier: '{{q}}' } });
    expect(findEarlierPrompts(book)).toEqual([['{{q}}', 5]]);
    const again = openGridBook(third, carryOver(book, third));
    expect(again.cells.slice(0, 2)).toEqual([
      { ...done('new'), earlier: 'Say {{q}}' },
      { ...done('1'), earlier: '{{q}}' },
    ]);
    expect(findEarlierPrompts(again)).toEqual([
      ['{{q}}', 5],
      ['Say {{q}}', 1],
    ]);
    expect([...carryOver(again, SETUP).values()].slice(0, 2)).toEqual([
      { ...done('new'), earlier: 'Say {{q}}' },
      done('1'),
    ]);
    expect(carryOver(again, other).get(0)).toEqual(done('new'));
  });

  it('stay in columns that ask for the same, wherever they stand', () => {
    expect(texts({ ...SETUP, columns: [column('c'), column('a')] })).toBe('.0.2.4');
    expect(texts({ ...SETUP, columns: [column('a', 'Be brief.'), column('b')] })).toBe('.1.3.5');
  });

  it('stay with their column where two ask for the same', () => {
    const twins = { ...SETUP, columns: [column('a'), column('a')] };
    const book = openGridBook(twins);
    for (let at = 0; at < 6; at += 1) book.setCell(at, done(String(at)));
    const kept = openGridBook(twins, carryOver(book, { ...twins, columns: [column('a'), column('a')] }));
    expect(kept.cells.map((cell) => (cell.state === 'done' ? cell.answer.text : '.')).join('')).toBe('012345');
  });

  it('stay whatever order the request has its fields in, and however the answer is carried', () => {
    const [a, b] = [column('a', 'Be brief.'), column('b')];
    const turned: GridColumn = {
      ...a,
      request: {
        stream_options: { include_usage: true },
        stream: true,
        messages: [{ content: 'Be brief.', role: 'system' }],
        model: 'a',
      },
    };
    const before = { ...SETUP, columns: [a, b] };
    const book = openGridBook(before);
    for (let at = 0; at < 6; at += 1) book.setCell(at, done(String(at)));
    expect(carryOver(book, { ...before, columns: [turned, b] }).size).toBe(6);
    expect(isSameRequests([a, b], [turned, b], [])).toBe(true);
    expect(isSameColumns([a, b], [turned, b])).toBe(false);
    expect(isSameRequests([a, b], [b, a], [])).toBe(false);
  });

  it('of twin columns keep to their own, and none is used twice', () => {
    const twins = {
      ...SETUP,
      columns: [
        { ...column('a'), id: 'p1' },
        { ...column('a'), id: 'p2' },
      ],
    };
    const [p1, p2] = twins.columns;
    const twinTexts = (columns: readonly GridColumn[]): string => {
      const book = openGridBook(twins);
      for (let at = 0; at < 6; at += 1) book.setCell(at, done(String(at)));
      const next = { ...twins, columns };
      return openGridBook(next, carryOver(book, next))
        .cells.map((cell) => (cell.state === 'done' ? cell.answer.text : '.'))
        .join('');
    };
    expect(twinTexts([...twins.columns])).toBe('012345');
    expect(twinTexts([p2!, p1!])).toBe('103254');
    expect(twinTexts([p2!])).toBe('135');
    expect(
      twinTexts([
        { ...p1!, id: 'p8' },
        { ...p1!, id: 'p9' },
      ]),
    ).toBe('012345');
    expect(twinTexts([{ ...p1!, id: 'p9' }, p1!, p2!])).toBe('.01.23.45');
  });

  it('of a row that comes twice are not used twice', () =>
    expect(texts(appendRows(SETUP, rows.slice(0, 1)))).toBe('012345..'));

  it('of chats do not depend on the prompt', () => {
    const chats = { ...SETUP, rows: parseRows('{"messages":[{"role":"user","content":"Hi"}]}', 'jsonl').rows };
    const book = openGridBook(chats);
    book.setCell(0, done('x'));
    expect([...carryOver(book, { ...chats, prompt: 'other' })]).toEqual([[0, done('x')]]);
  });
});

describe('the prompt that fits rows', () => {
  it.each([
    ['q,expected\na,b\n', '', '{{q}}'],
    ['q,expected\na,b\n', 'Answer {{q}}!', 'Answer {{q}}!'],
    ['q,expected\na,b\n', 'Answer {{other}}!', '{{q}}'],
    ['id,prompt\n1,b\n', 'Hello', '{{prompt}}'],
  ])('%j with the draft %j: %s', (csv, draft, prompt) =>
    expect(toFittingPrompt(parseRows(csv, 'csv').rows, draft)).toBe(prompt),
  );
});

it('names every variable that rows lack, with how many', () => {
  const { rows } = parseRows('{"a":"1"}\n{"b":"2"}\n{"a":"3"}\n', 'jsonl');
  expect(
    findMissingVariables({ ...EMPTY_SETUP, prompt: '{{a}} {{c}}', rows, columns: [column('x', '{{b}}')] }),
  ).toEqual([
    { name: 'c', rows: 3, first: 1 },
    { name: 'b', rows: 2, first: 1 },
    { name: 'a', rows: 1, first: 2 },
  ]);
});

it('a value of the session is one for every row', () => {
  const { rows } = parseRows('{"a":"1"}\n{"b":"2"}\n', 'jsonl');
  const columns = [{ ...column('x', '{{b}}'), values: { a: 'one', company: 'Acme' } }];
  expect(findMissingVariables({ ...EMPTY_SETUP, prompt: '{{a}} {{company}}', rows, columns })).toEqual([
    { name: 'b', rows: 1, first: 1 },
  ]);
});

it('looks through the rows of a setup once, whoever asks', () => {
  let reads = 0;
  const [plain] = parseRows('q\na\n', 'csv').rows;
  const row = plain && {
    ...plain,
    get messages() {
      reads += 1;
      return null;
    },
  };
  const setup = { ...EMPTY_SETUP, prompt: '{{x}}', rows: row ? [row] : [], columns: [column('a')] };
  const found = findMissingVariables(setup);
  const before = reads;
  expect([findMissingVariables(setup), reads]).toEqual([found, before]);
  expect(before).toBeGreaterThan(0);
});

describe('answers after a change of the session’s values', () => {
  const given = (id: string, values: Record<string, string>): GridColumn => ({
    ...column(id, 'For {{company}}.'),
    values,
  });
  const before = { ...SETUP, columns: [given('a', { company: 'Acme', other: '1', shop: 'x' })] };
  const toGiven = (): GridBook =>
    openGridBook(
      before,
      new Map([
        [0, done('0')],
        [1, { ...done('1'), earlier: '{{q}} at {{shop}}' }],
      ]),
    );
  const kept = (values: Record<string, string>): number =>
    carryOver(toGiven(), { ...before, columns: [given('a', values)] }).size;

  it('stay where no prompt uses the value', () => {
    expect(kept({ company: 'Acme', other: '2', shop: 'x' })).toBe(2);
    expect(
      isSameRequests(before.columns, [given('a', { company: 'Acme', shop: 'x' })], findAllPrompts(toGiven())),
    ).toBe(true);
    expect(isSameColumns(before.columns, [given('a', { company: 'Acme', shop: 'x' })])).toBe(false);
  });

  it('go where the system prompt, the prompt or an earlier one uses it', () => {
    expect([
      kept({ company: 'Other', shop: 'x' }),
      kept({ company: 'Acme', shop: 'y' }),
      kept({ company: 'Acme', shop: 'x' }),
    ]).toEqual([0, 0, 2]);
    expect(isSameRequests(before.columns, [given('a', { company: 'Acme', shop: 'y' })], ['{{shop}}'])).toBe(false);
  });
});

it('numbers rows from 1, and knows their variables', () => {
  expect(removeRow(SETUP, 0).rows.map(({ number }) => number)).toEqual([1, 2]);
  expect(rowVariables(SETUP.rows)).toEqual(['q']);
});

it('compares columns by what they ask for', () => {
  expect(isSameColumns(SETUP.columns, [column('a'), column('b')])).toBe(true);
  expect(isSameColumns(SETUP.columns, [column('a'), column('b', 'x')])).toBe(false);
  expect(isSameColumns(SETUP.columns, [column('a')])).toBe(false);
  expect(isSameColumns(SETUP.columns, [{ ...column('a'), name: 'Experiment 1' }, column('b')])).toBe(false);
  expect(isSameRequests(SETUP.columns, [{ ...column('a'), name: 'Experiment 1' }, column('b')], [])).toBe(true);
});

it('compares requests whatever the order of their fields, but for schemas, where the model reads it', () => {
  const withRequest = (request: GridColumn['request']): readonly GridColumn[] => [{ id: 'a', label: 'a', request }];
  const withSchema = (properties: Record<string, unknown>) =>
    withRequest({
      model: 'm',
      messages: [],
      tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties } } }],
    });
  expect(
    isSameColumns(
      withRequest({ model: 'm', messages: [{ role: 'system', content: 's' }], seed: 1 }),
      withRequest({ seed: 1, messages: [{ content: 's', role: 'system' }], model: 'm' }),
    ),
  ).toBe(true);
  expect(
    isSameColumns(
      withRequest({ model: 'm', messages: [], seed: 1 }),
      withRequest({ model: 'm', messages: [], seed: 2 }),
    ),
  ).toBe(false);
  expect(isSameColumns(withSchema({ x: {}, y: {} }), withSchema({ x: {}, y: {} }))).toBe(true);
  expect(isSameColumns(withSchema({ x: {}, y: {} }), withSchema({ y: {}, x: {} }))).toBe(false);
});
