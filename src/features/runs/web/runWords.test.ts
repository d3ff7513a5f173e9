import { expect, it } from 'vitest';
import { toRun } from './run.fixture.ts';
import { toCertaintyText, toProgress, toProgressText, toTimeText } from './runWords.ts';

it.each([
  [310, 671, 'step 310 of 671', 310 / 671],
  [1200, null, 'step 1,200', null],
  [null, 500, '500 steps planned', null],
  [null, null, null, null],
  [700, 671, 'step 700 of 671', 1],
  [3, 0, 'step 3 of 0', null],
])('writes step %j of %j as %j', (step, total_steps, text, share) => {
  expect(toProgressText({ step, total_steps })).toBe(text);
  expect(toProgress({ step, total_steps })).toBe(share);
});

it('says how long a run took, and when a running one last wrote', () => {
  const start = Date.UTC(2026, 7, 22, 10);
  expect(toTimeText(toRun({ started_at: start, ended_at: start + 90_000 }), 0)).toMatch(/took 1 min 30 s$/);
  expect(toTimeText(toRun({ status: 'running', started_at: start, last_sign_at: start }), start + 4000)).toMatch(
    /last activity 4 s ago$/,
  );
  // Without the time between a crash and its resume.
  const resumed = toRun({ started_at: start, ended_at: start + 90_000, seconds: 10.2, parts: ['a', 'b'] });
  expect(toTimeText(resumed, 0)).toMatch(/took 10 s in 2 sessions$/);
  expect(toTimeText(toRun({ seconds: 2.5 }), 0)).toBe('start unknown · took 2.5 s');
  expect(toTimeText(toRun({}), 0)).toBe('start unknown');
});

it('says whether the status was written down or concluded', () => {
  const texts = [
    toCertaintyText({ status: 'failed', is_status_certain: true }),
    toCertaintyText({ status: 'running', is_status_certain: true }),
    toCertaintyText({ status: 'stopped', is_status_certain: false }),
  ];
  expect(new Set(texts).size).toBe(3);
  expect(texts[0]).toMatch(/recorded this/);
});
