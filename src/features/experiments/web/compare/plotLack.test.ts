import { expect, it } from 'vitest';
import { toTestCandidate } from '#features/experiments/shared/candidate.fixture.ts';
import type { CompareColumn } from './compareColumns.ts';
import { findPlotLack } from './plotLack.ts';

const ready: CompareColumn = {
  kind: 'ready',
  ref: 'a',
  series: 0,
  candidate: toTestCandidate('a'),
  losses: [],
  measured: null,
  created: null,
  gap: null,
};
const missing: CompareColumn = { kind: 'missing', ref: 'b', series: 1, words: 'gone' };
const loading: CompareColumn = { ...missing, kind: 'loading' };
const garbage = Array.from({ length: 7 }, () => missing);

it('says why one comparable run is no plot', () => {
  expect(findPlotLack([ready, ...garbage], 'parallel')).toBe(
    'No plot: one candidate to compare; 7 of 8 could not be found or read. A plot needs two or more.',
  );
  expect(findPlotLack([ready], 'scatter')).toBe('No plot: one candidate to compare. A plot needs two or more.');
  expect(findPlotLack(garbage, 'parallel')).toBe(
    'No plot: no candidate to compare; 7 of 7 could not be found or read. A plot needs two or more.',
  );
  expect(findPlotLack(garbage, 'loss')).toContain('A plot needs one.');
});

it('says nothing if there is a plot, if none is wanted, and while columns load', () => {
  expect([
    findPlotLack([ready, ready], 'parallel'),
    findPlotLack([ready, missing], 'loss'),
    findPlotLack([missing], 'none'),
    findPlotLack([ready, loading], 'parallel'),
  ]).toEqual([null, null, null, null]);
});
