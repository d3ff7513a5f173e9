import { expect, it } from 'vitest';
import { openKeptVerdicts } from './keptVerdicts.ts';

const toChecks = (letters: number, scores: number) => {
  const column = {
    letters: 'p'.repeat(letters),
    scores: new Map(Array.from({ length: scores }, (_, place) => [place, 0.5])),
  };
  return new Map([['c', { stamp: '1', columns: new Map([[0, column]]) }]]);
};

it('keeps the verdicts of as many runs as there is room for, those that were read last', () => {
  const kept = openKeptVerdicts(1_000);
  const small = toChecks(300, 0);
  for (const run of ['a', 'b', 'c', 'a']) kept.keep(run, small);
  kept.keep('d', small);
  expect(['a', 'b', 'c', 'd'].filter((run) => kept.find(run) === small)).toEqual(['a', 'c', 'd']);
  kept.keep('d', toChecks(300, 10));
  expect(['a', 'c', 'd'].filter((run) => kept.find(run))).toEqual(['d']);
});

it('keeps the last run alone where it takes more than the room', () => {
  const kept = openKeptVerdicts(1_000);
  kept.keep('a', toChecks(300, 0));
  kept.keep('b', toChecks(0, 1_000));
  expect([kept.find('a'), kept.find('b')?.size]).toEqual([undefined, 1]);
  kept.keep('a', toChecks(300, 0));
  expect([kept.find('a')?.size, kept.find('b')]).toEqual([1, undefined]);
});
