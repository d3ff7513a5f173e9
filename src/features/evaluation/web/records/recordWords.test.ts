import { expect, it } from 'vitest';
import { findFront } from './modelCosts.ts';
import {
  toAgreementText,
  toDifferenceText,
  toHeldOutWarning,
  toLeftOutText,
  toProgressText,
  toRateTitle,
  toScoreDifferenceText,
  toShownScorers,
  toVerdictSentence,
} from './recordWords.ts';
import { toFrozenSettings } from './frozenSettings.ts';

const DIFFERENCE = { value: 3.3, low: 0.4, high: 6.2, adjusted_p: 0.021, verdict: 'better', rows: 465 } as const;

const RATE = { passed: 1, total: 2, rate: 0.5, low: 0, high: 1, not_checked: 0, mean_score: null };
const AGREEMENT = { items: 0, kappa: null, low: null, high: null };

it.each([
  ['that counts and only passes or fails', {}, {}, []],
  ['that does not count', { counts: false }, {}, ['only']],
  ['whose agreement with people is measured', {}, { agreement: AGREEMENT }, ['only']],
  ['that judges by degrees', {}, { score: { mean: 0.5, low: null, high: null, difference: null } }, ['only']],
])('of one check alone, one %s has a column: %j %j %j', (_, check, part, shown) => {
  const by_check = [{ scorer: 'only', rate: RATE, difference: null, score: null, ...part }];
  expect(toShownScorers([{ id: 'only', kind: 'exact', ...check }], { models: [{ by_check }] })).toEqual(shown);
});

it('names of what a count is beside a rate that is averaged by row', () => {
  expect(toRateTitle(RATE)).toBe('1 of 2 answers passed, with the 95 % interval');
  expect(toRateTitle({ ...RATE, passed: 3, total: 4 })).toBe(
    '3 of 4 answers passed, averaged by row, with the 95 % interval',
  );
});

it('says how a model differs from the baseline, on which rows, and whether the rows can tell', () => {
  expect(toDifferenceText(DIFFERENCE, 1)).toBe('better: +3.3 points (+0.4 to +6.2), p 0.021, same 465 rows');
  expect(toDifferenceText({ ...DIFFERENCE, adjusted_p: 0.063, verdict: 'undecided' }, 3)).toBe(
    'can’t tell yet: +3.3 points (+0.4 to +6.2), p 0.063 corrected for 3 comparisons, same 465 rows',
  );
  expect(
    toScoreDifferenceText({ ...DIFFERENCE, p: null, value: -0.031, low: null, high: null, verdict: 'worse' }, 1),
  ).toBe('worse: −0.03, p 0.021, same 465 rows');
  expect(toVerdictSentence('b', 'a', { verdict: 'worse' })).toBe('b is worse than a.');
  expect(toVerdictSentence('b', 'a', { verdict: 'undecided' })).toBe('These rows can’t tell b from a yet.');
});

it('says how far a run is, why it waits, and how long it takes', () => {
  const run = {
    status: 'running',
    answers: 4800,
    done: 1199,
    failed: 1,
    judged: 900,
    reason: null,
    next_try_at: null,
    answers_per_second: 31.4,
    seconds_left: 120,
  } as const;
  expect(toProgressText(run)).toBe(
    'goes on · 1,200 of 4,800 answers · 1 without an answer · 31 a second · about 2 min 00 s left',
  );
  const asked = { ...run, done: 4799, seconds_left: 0 };
  expect(toProgressText(asked)).toBe('judging 900 of 4,799 answers · 1 without an answer');
  expect(toProgressText({ ...asked, judged: 0, failed: 0, answers: 4799 })).toBe('judging 4,799 answers');
  expect(toProgressText({ ...asked, status: 'completed' })).toBe('done · 4,800 answers · 1 without an answer');
  expect(toProgressText({ ...run, status: 'waiting', reason: 'a run trains' })).toContain('waits: a run trains');
});

it('finds the models that no other beats in both rate and time', () => {
  const model = (name: string, rate: number, seconds: number) =>
    ({ model: name, done: 10, seconds: seconds * 10, rate: { rate } }) as unknown as Parameters<
      typeof findFront
    >[0][number];
  expect([...findFront([model('slow', 0.9, 4), model('quick', 0.8, 1), model('poor', 0.7, 2)])]).toEqual([
    'slow',
    'quick',
  ]);
  expect(findFront([model('a', 0.9, 1)]).size).toBe(0);
});

it('freezes settings that all columns share, and says where they differ', () => {
  const column = (temperature: number) => ({
    request: { model: 'm', messages: [{ role: 'system' as const, content: 'Be brief.' }], temperature },
  });
  expect(toFrozenSettings([column(0), column(0)])).toEqual({
    settings: { temperature: 0 },
    system: 'Be brief.',
    problem: null,
  });
  expect(toFrozenSettings([column(0), column(1)]).problem).toContain('other settings');
});

it('says of a judge how far it agrees with people, or that nobody knows yet', () => {
  expect(toAgreementText({ items: 12, kappa: null, low: null, high: null })).toBe(
    'agreement not measured: people judged 12 of 30 answers',
  );
  expect(toAgreementText({ items: 50, kappa: 0.611, low: 0.45, high: 0.77 })).toBe(
    'agrees with people: kappa 0.61 (0.45–0.77), 50 answers of all models',
  );
});

it('warns before held-out rows become rows to train with, and of no others', () => {
  const id = '11111111-1111-4111-8111-111111111111';
  const warningOf = (source: Parameters<typeof toHeldOutWarning>[0]['source']) =>
    toHeldOutWarning({ name: 'Triage', source });
  expect(warningOf({ kind: 'snapshot', snapshot_id: id })).toBe(
    'These rows are held out of training. A model trained on them can’t be measured by Triage any more: it would have ' +
      'seen the questions.',
  );
  expect(warningOf({ kind: 'run', run_id: id })).toMatch(/may be held out of training\. A model trained on them can’t/);
  expect(warningOf({ kind: 'traces' })).toBeNull();
});

it('says how many fields are left out, and what to do', () => {
  expect(toLeftOutText({ fields_left_out: 0 })).toBe('');
  expect(toLeftOutText({ fields_left_out: 20 })).toMatch(/^The first 100 fields are shown, 20 left out\. A check /);
  expect(toLeftOutText({ fields_left_out: 1_000 })).toContain(', 1,000 or more left out.');
});
