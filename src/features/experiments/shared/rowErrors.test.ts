import { describe, expect, it } from 'vitest';
import { toAnswer } from '#features/datasets/shared/answerShape.ts';
import { findErrorLabels, findSharedErrors, toRowLabels, type MeasuredRow } from './rowErrors.ts';

/** Rows of each label: how many, and how many of them are wrong. */
const toRows = (labels: Readonly<Record<string, readonly [rows: number, wrong: number]>>): readonly MeasuredRow[] => {
  const rows = Object.entries(labels).flatMap(([label, [count, wrong]]) =>
    Array.from({ length: count }, (_, at) => ({ label, isRight: at >= wrong })),
  );
  return rows.map(({ label, isRight }, position) => ({ position, isRight, labels: new Map([['category', label]]) }));
};

const toFound = (rows: readonly MeasuredRow[]) =>
  findErrorLabels(rows)?.values.map(({ value, wrong, rows: size }) => [value, wrong, size]) ?? null;

describe('the labels of most errors', () => {
  it.each([
    ['one label has most', { refund: [14, 12], login: [90, 3], other: [96, 2] }, [['refund', 12, 14]]],
    [
      'no label has most alone',
      { refund: [14, 6], login: [14, 6], bill: [14, 5], other: [158, 1] },
      [
        ['refund', 6, 14],
        ['login', 6, 14],
      ],
    ],
    ['errors are spread evenly', { refund: [50, 5], login: [50, 5], bill: [50, 5], other: [50, 5] }, null],
    ['most errors are in the label of most rows', { refund: [20, 2], login: [180, 18] }, null],
    ['errors lean to a label no more than chance does', { refund: [40, 4], login: [80, 2], other: [80, 2] }, null],
    ['there are two errors', { refund: [10, 2], login: [190, 0] }, null],
    ['there are no errors', { refund: [10, 0], login: [190, 0] }, null],
    ['all rows have one label', { refund: [200, 20] }, null],
    ['all rows are wrong', { refund: [20, 20], login: [180, 180] }, null],
  ] as const)('where %s', (_, labels, expected) => expect(toFound(toRows(labels))).toEqual(expected));

  it('are those of the field with the fewest rows, with the places of their wrong rows', () => {
    const rows = toRows({ refund: [14, 12], other: [186, 3] }).map((row, at) =>
      Object.assign({}, row, { labels: new Map([...row.labels, ['tone', at < 40 ? 'angry' : 'calm']]) }),
    );
    expect(findErrorLabels(rows)).toMatchObject({
      field: 'category',
      kinds: 2,
      positions: Array.from({ length: 12 }, (_, at) => at),
    });
  });

  it('are no texts that nearly each row has for itself', () => {
    const rows = Array.from({ length: 200 }, (_, position) => ({
      position,
      isRight: position > 9,
      labels: new Map([['id', position < 10 ? 'same' : `id ${position}`]]),
    }));
    expect(findErrorLabels(rows)).toBeNull();
  });

  it('are told from chance more strictly where many labels could have been found', () => {
    const bare = { refund: [10, 3], other: [190, 2] } as const;
    expect(toFound(toRows(bare))).toEqual([['refund', 3, 10]]);
    const noise = toRows(bare).map((row, at) =>
      Object.assign({}, row, {
        labels: new Map([
          ...row.labels,
          ...Array.from({ length: 20 }, (_, field) => [`noise ${field}`, String((at * (field + 7)) % 13)] as const),
        ]),
      }),
    );
    expect(findErrorLabels(noise)).toBeNull();
  });
});

describe('the labels of a row', () => {
  const of = (content: string, more: object = {}) => [
    ...toRowLabels(
      toAnswer([
        { role: 'user', content: 'q' },
        { role: 'assistant', content, ...more },
      ]),
    ),
  ];
  it.each([
    [' refund ', [[null, 'refund']]],
    [
      '{"category":"a ","ok":true,"n":2,"gone":null,"list":[1],"in":{"x":1}}',
      [
        ['category', 'a'],
        ['ok', 'true'],
        ['n', '2'],
      ],
    ],
    ['{"category"', [[null, '{"category"']]],
    ['x'.repeat(81), []],
    ['', []],
  ])('of the answer %j are %j', (content, labels) => expect(of(content)).toEqual(labels));

  it('are none of a call of a tool', () => {
    const call = { id: '1', type: 'function', function: { name: 'f', arguments: '{}' } };
    expect(of('', { tool_calls: [call] })).toEqual([]);
  });
});

describe('the errors that the runs share', () => {
  const run = (wrong: readonly number[], count = 100): readonly boolean[] =>
    Array.from({ length: count }, (_, at) => !wrong.includes(at));
  const places = Array.from({ length: 100 }, (_, at) => at * 10);
  const hard = [3, 4, 5, 6];

  it.each([
    [
      'all others make most of them',
      [
        [...hard, 9],
        [...hard, 20],
        [...hard, 30],
      ],
      { runs: 3, least: 3, positions: [30, 40, 50, 60] },
    ],
    ['the others make other errors', [hard, [13, 14, 15], [23, 24, 25]], null],
    ['one of two others makes them', [hard, hard, [20]], null],
    ['there are two runs', [hard, hard], null],
    [
      'they are two',
      [
        [3, 4],
        [3, 4],
        [3, 4],
      ],
      null,
    ],
    ['the others have all rows wrong', [hard, [...Array(100).keys()], [...Array(100).keys()]], null],
    ['there are none', [[], hard, hard], null],
    [
      'one of ten others has a row right',
      [hard, ...Array.from({ length: 9 }, () => hard), hard.slice(1)],
      { runs: 11, least: 10, positions: [30, 40, 50, 60] },
    ],
  ] as const)('where %s', (_, runs, expected) =>
    expect(
      findSharedErrors(
        places,
        runs.map((wrong) => run(wrong)),
      ),
    ).toEqual(expected),
  );

  it('are of rows that all measured', () => {
    const short = run(hard).map((right, at) => (at === 3 ? null : right));
    expect(findSharedErrors(places, [run(hard), run(hard), short])?.positions).toEqual([40, 50, 60]);
  });
});
