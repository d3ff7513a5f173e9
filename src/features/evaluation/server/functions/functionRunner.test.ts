import { afterAll, describe, expect, it } from 'vitest';
import { checkMayUseFunctions, openFunctionRunner } from './functionRunner.ts';

const runner = openFunctionRunner();
afterAll(() => runner.close());

const INPUT = { answer: 'an "answer" \u2028', expected: null, row: { n: '7' } };
const run = async (source: string) => (await runner.run(source, [INPUT]))[0];

describe('a function', () => {
  it.each([
    ['(answer) => answer.length', 13],
    ['(answer, expected, row) => ({ pass: expected === null, reason: row.n })', { pass: true, reason: '7' }],
    ['function f() { return undefined }', undefined],
    ['// why\n() => true // done', true],
    ['async () => true', {}],
    [
      '() => [typeof process, typeof require, typeof fetch, typeof setTimeout, typeof WebAssembly]',
      Array(5).fill('undefined'),
    ],
  ])('%s gives %j', async (source, value) => expect(await run(source)).toEqual({ ok: true, value }));

  it.each([
    ['() => { throw new Error("bad") }', 'threw Error: bad'],
    ['(answer) => {', 'threw SyntaxError'],
    ['1', 'threw TypeError: not a function'],
    ['() => "x".repeat(4e7)', 'more than 32 MiB'],
    ['() => { const f = () => f() + 1; return f(); }', 'calls itself too often'],
    ['() => JSON.parse("[".repeat(1e5))', 'calls itself too often'],
  ])('%s gives nothing: %s', async (source, reason) => {
    expect(await run(source)).toEqual({ ok: false, reason: expect.stringContaining(reason) });
    expect(await run('() => true')).toEqual({ ok: true, value: true });
  });

  it('that never ends is stopped, and not tried on all answers', async () => {
    const outcomes = await runner.run(
      '() => { for (;;); }',
      Array.from({ length: 40 }, () => INPUT),
    );
    expect(outcomes).toHaveLength(40);
    expect(outcomes[39]).toEqual({ ok: false, isLate: true, reason: expect.stringContaining('longer than 1 s') });
    // All 40 would take 40 s.
  }, 30_000);

  it('keeps nothing from one answer to the next', async () => {
    const outcomes = await runner.run('() => (globalThis.count = (globalThis.count ?? 0) + 1)', [INPUT, INPUT]);
    expect(outcomes).toEqual([
      { ok: true, value: 1 },
      { ok: true, value: 1 },
    ]);
  });
});

it('is for the owner alone', () => {
  expect(() => checkMayUseFunctions(null)).not.toThrow();
  expect(() => checkMayUseFunctions('ann')).toThrow(/only the studio's own token .* the token of ann/);
});
