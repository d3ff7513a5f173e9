import { expect, it } from 'vitest';
import { openCheckSet } from '#features/evaluation/shared/checkSet.ts';
import type { CheckResult } from '#features/evaluation/shared/checkResult.ts';
import { DEFAULT_CHECK, type CheckSpec } from '#features/evaluation/shared/checks.ts';
import type { CheckClient } from '#features/evaluation/web/workers/checkClient.ts';
import { openGridBook, type GridCell } from '#features/evaluation/web/grid/gridBook.ts';
import { openGridScorer } from './gridScorer.ts';
import { openGridTally } from '#features/evaluation/web/grid/gridTally.ts';

const PASS = { state: 'pass' } as const;
const done = (text: string): GridCell => ({
  state: 'done',
  answer: { text, toolCalls: [], finish_reason: 'stop', completion_tokens: 1, ms: 1 },
});
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
};

function openStage(size = 3) {
  const rows = Array.from({ length: size }, (_, at) => ({
    number: at + 1,
    messages: null,
    variables: new Map(),
    expected: 'a',
  }));
  const book = openGridBook({
    id: 'g',
    prompt: 'p',
    rows,
    columns: [{ id: 'c', label: 'c', request: { model: 'm', messages: [] } }],
  });
  const tally = openGridTally(book);
  const batches: number[] = [];
  const closed: number[] = [];
  /** null: answers at once; else the test ends the batch. */
  let held: (() => void) | null | undefined = null;
  const openClient = (specs: readonly CheckSpec[]): CheckClient => {
    const check = openCheckSet(specs);
    return {
      check: (jobs) => {
        batches.push(jobs.length);
        const results = (): readonly CheckResult[] =>
          jobs.map(({ answer, expected, calls, facts }) => check(answer, expected, calls, facts) ?? PASS);
        return held === null ? Promise.resolve(results()) : new Promise((resolve) => (held = () => resolve(results())));
      },
      close: () => void closed.push(batches.length),
    };
  };
  const scorer = openGridScorer(book, tally, { openClient, onChange: () => undefined });
  book.subscribe((places) => scorer.update(places));
  return { book, tally, scorer, batches, closed, hold: () => void (held = undefined), release: () => held?.() };
}

it('checks what is there, then what comes', async () => {
  const { book, tally, scorer } = openStage();
  book.setCell(0, done('a'));
  scorer.setChecks([DEFAULT_CHECK]);
  await settle();
  book.setCell(1, done('b'));
  await settle();
  expect([0, 1, 2].map((at) => tally.verdictOf(at)?.state ?? null)).toEqual(['pass', 'fail', null]);
  expect(tally.columnResult(0).rate).toMatchObject({ passed: 1, total: 2 });
});

it('checks anew when the checks change, and nothing without any', async () => {
  const { book, tally, scorer } = openStage();
  book.setCell(0, done('ab'));
  scorer.setChecks([DEFAULT_CHECK]);
  await settle();
  expect(tally.verdictOf(0)?.state).toBe('fail');
  scorer.setChecks([{ ...DEFAULT_CHECK, kind: 'contains' }]);
  await settle();
  expect(tally.verdictOf(0)?.state).toBe('pass');
  scorer.setChecks([]);
  await settle();
  expect(tally.verdictOf(0)).toBeNull();
});

it('goes in batches, one at a time', async () => {
  const { book, scorer, batches } = openStage(250);
  book.setCells(new Map(Array.from({ length: 250 }, (_, at) => [at, done('a')] as const)));
  scorer.setChecks([DEFAULT_CHECK]);
  await settle();
  expect(batches).toEqual([100, 100, 50]);
});

it('drops the verdict of an answer that has been replaced, and of checks that are gone', async () => {
  const { book, tally, scorer, hold, release } = openStage();
  hold();
  book.setCell(0, done('a'));
  scorer.setChecks([DEFAULT_CHECK]);
  await settle();
  book.setCell(0, done('b'));
  release();
  await settle();
  expect(tally.verdictOf(0)).toBeNull();
  scorer.setChecks([]);
  release();
  await settle();
  expect(tally.verdictOf(0)).toBeNull();
});

it('gives a check the time and the tokens of an answer', async () => {
  const { book, tally, scorer } = openStage(2);
  book.setCell(0, done('a'));
  const latency: CheckSpec = { ...DEFAULT_CHECK, kind: 'latency', max: 1 };
  scorer.setChecks([latency, { ...DEFAULT_CHECK, kind: 'length', unit: 'tokens', max: 1 }]);
  await settle();
  expect(tally.verdictOf(0)).toEqual({ state: 'pass' });
  scorer.setChecks([{ ...latency, max: 0.5 }]);
  await settle();
  expect(tally.verdictOf(0)?.state).toBe('fail');
});
