import { describe, expect, it } from 'vitest';
import { lineOf } from './lines.fixture.ts';
import { readLine, readLines } from './valuesAtX.ts';

const VIEW = { from: 0, to: 100 };

describe('readLine', () => {
  it('reads the nearest point', () => {
    expect(readLine(lineOf([5, 6, 7]), 1.4, VIEW)).toMatchObject({ value: 6, step: 1 });
    expect(readLine(lineOf([5, 6, 7]), 1.6, VIEW)).toMatchObject({ value: 7, step: 2 });
  });

  it('reads the end of a line that ended nearby, and nothing of one that ended long ago', () => {
    expect(readLine(lineOf([5, 6, 7]), 3.5, VIEW)).toMatchObject({ value: 7 });
    expect(readLine(lineOf([5, 6, 7]), 10, VIEW)).toBeNull();
    expect(readLine(lineOf([]), 0, VIEW)).toBeNull();
  });
});

describe('readLines', () => {
  const lines = [lineOf([1, 1], 'low'), lineOf([9, 9], 'high'), lineOf([5, Number.NaN], 'broken')];

  it('puts the runs nearest to the pointer first, and values that are not finite last', () => {
    const readings = readLines(lines, 1, VIEW, { at: 8, toHeight: (value) => value });
    expect(readings.map(({ runId }) => runId)).toEqual(['high', 'low', 'broken']);
  });

  it('keeps the order of the lines where nothing is pointed at', () => {
    expect(readLines(lines, 0, VIEW).map(({ runId }) => runId)).toEqual(['low', 'high', 'broken']);
  });
});
