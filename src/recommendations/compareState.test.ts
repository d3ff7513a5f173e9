import { describe, expect, it } from 'vitest';
import type { Candidate, Choices } from './candidates';
import { reduceCompare, toStartState, type CompareEvent, type CompareState } from './compareState';

const START: CompareState = { chosen: [], baseline: null, isOnlyDifferences: false };
const fold = (events: readonly CompareEvent[], state = START) => events.reduce(reduceCompare, state);
const toggle = (key: string): CompareEvent => ({ type: 'candidate-toggle', key });

it('adds candidates in the order in which they are ticked, each with its own colour', () => {
  expect(fold([toggle('a'), toggle('b')]).chosen).toEqual([
    { key: 'a', series: 0 },
    { key: 'b', series: 1 },
  ]);
});

it('keeps the colours of those who stay and reuses the one that got free', () => {
  const state = fold([toggle('a'), toggle('b'), toggle('c'), toggle('b'), toggle('d')]);
  expect(state.chosen).toEqual([
    { key: 'a', series: 0 },
    { key: 'c', series: 2 },
    { key: 'd', series: 1 },
  ]);
});

it('gives the baseline up when it leaves, and only then', () => {
  const chosen = fold([toggle('a'), toggle('b'), { type: 'baseline-choose', key: 'b' }]);
  expect(fold([toggle('a')], chosen).baseline).toBe('b');
  expect(fold([toggle('b')], chosen).baseline).toBeNull();
});

it('clears the choice but not the way of looking at it', () => {
  const state = fold([toggle('a'), { type: 'differences-toggle', isOnlyDifferences: true }, { type: 'choice-clear' }]);
  expect(state).toEqual({ chosen: [], baseline: null, isOnlyDifferences: true });
});

it('gives the very same state for an event that changes nothing', () => {
  const state = fold([toggle('a'), { type: 'baseline-choose', key: 'a' }]);
  expect(reduceCompare(state, { type: 'baseline-choose', key: 'a' })).toBe(state);
  expect(reduceCompare(state, { type: 'differences-toggle', isOnlyDifferences: false })).toBe(state);
  expect(reduceCompare(START, { type: 'choice-clear' })).toBe(START);
});

describe('start', () => {
  const candidate = (key: string): Candidate => ({
    key,
    origin: 'model',
    place: null,
    repeat: 1,
    base_model_id: key,
    training_type: 'full',
    n_epochs: 1,
    batch_size: 1,
    learning_rate_multiplier: 1,
    recommended: false,
    reason_for_recommendation: null,
  });
  const choices = (models: number, experiments: number): Choices => {
    const advised = Array.from({ length: models }, (_, index) => candidate(`m${index}`));
    const made = Array.from({ length: experiments }, (_, index) => candidate(`e${index}`));
    return { models: [], experiments: made, candidates: [...advised, ...made] };
  };
  const keys = (state: CompareState) => state.chosen.map((entry) => entry.key);

  it('compares the first four experiments, or advice on models where there are none to compare', () => {
    expect(keys(toStartState(choices(6, 9)))).toEqual(['e0', 'e1', 'e2', 'e3']);
    expect(keys(toStartState(choices(6, 0)))).toEqual(['m0', 'm1', 'm2', 'm3']);
    expect(keys(toStartState(choices(2, 1)))).toEqual(['m0', 'm1', 'e0']);
    expect(keys(toStartState(choices(0, 0)))).toEqual([]);
  });
});
