import { expect, it } from 'vitest';
import { openCheckSet } from '#features/evaluation/shared/checkSet.ts';
import { DEFAULT_CHECK, type CheckSpec } from '#features/evaluation/shared/checks.ts';
import { openCheckClient, TOO_SLOW, type CheckClientDeps, type CheckOrder } from './checkClient.ts';

const SPECS: readonly CheckSpec[] = [{ ...DEFAULT_CHECK, kind: 'contains', expected: 'a' }];
const PASS = { state: 'pass' } as const;

/** Workers that act like the real one but hang on the answer `hang`. The test advances the time. */
function openStage({ isBroken = false, isMute = false } = {}) {
  const opened: { readonly batches: (readonly CheckOrder[])[]; isClosed: boolean }[] = [];
  let timers: (() => void)[] = [];
  const openWorker: CheckClientDeps['openWorker'] = (onReply, onError) => {
    const worker = { batches: [] as (readonly CheckOrder[])[], isClosed: false };
    opened.push(worker);
    queueMicrotask(() => (isBroken ? onError('no code.') : isMute || onReply({ kind: 'ready' })));
    const send = (orders: readonly CheckOrder[]): void => {
      worker.batches.push(orders);
      queueMicrotask(() => {
        for (const { answer, expected, specs, facts } of isBroken || isMute ? [] : orders) {
          if (answer === 'hang') return;
          onReply({ kind: 'result', result: openCheckSet(specs)(answer, expected, [], facts) ?? PASS });
        }
      });
    };
    return { send, close: () => void (worker.isClosed = true) };
  };
  const later: NonNullable<CheckClientDeps['later']> = (_ms, callback) => {
    timers.push(callback);
    return () => void (timers = timers.filter((timer) => timer !== callback));
  };
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  const runOut = async (): Promise<void> => {
    await settle();
    for (const timer of timers.splice(0)) timer();
    await settle();
  };
  const runFunctions: CheckClientDeps['runFunctions'] = async (source, inputs) =>
    inputs.map(({ answer, row }) => ({ ok: true, value: `${answer}${String(row['n'])}` === source }));
  return { deps: { openWorker, later, runFunctions }, opened, runOut };
}

const jobs = (...answers: readonly string[]) =>
  answers.map((answer) => ({ answer, calls: [], expected: null, facts: {}, row: {} }));

it('gives a result for each answer, in order, from one worker', async () => {
  const { deps, opened } = openStage();
  const client = openCheckClient(SPECS, deps);
  expect((await client.check(jobs('a', 'b'))).map(({ state }) => state)).toEqual(['pass', 'fail']);
  expect((await client.check(jobs('ab'))).map(({ state }) => state)).toEqual(['pass']);
  expect(opened).toHaveLength(1);
  client.close();
  expect(opened[0]?.isClosed).toBe(true);
});

it('gives up an answer that takes too long, and goes on with the next', async () => {
  const { deps, opened, runOut } = openStage();
  const checked = openCheckClient(SPECS, deps).check(jobs('a', 'hang', 'b'));
  await runOut();
  expect(await checked).toEqual([
    PASS,
    { state: 'no-check', reason: TOO_SLOW },
    expect.objectContaining({ state: 'fail' }),
  ]);
  expect([opened.length, opened[0]?.isClosed]).toEqual([2, true]);
});

it('does not try a pattern for ever', async () => {
  const { deps, opened, runOut } = openStage();
  const client = openCheckClient(SPECS, deps);
  const checked = client.check(jobs('hang', 'hang', 'hang', 'a', 'a'));
  for (let round = 0; round < 3; round += 1) await runOut();
  expect((await checked).map(({ state }) => state)).toEqual(Array.from({ length: 5 }, () => 'no-check'));
  expect((await client.check(jobs('a')))[0]).toEqual({ state: 'no-check', reason: TOO_SLOW });
  expect(opened).toHaveLength(3);
});

it('says so when there is no worker', async () => {
  const { deps } = openStage({ isBroken: true });
  expect(
    (await openCheckClient(SPECS, deps).check(jobs('a', 'b'))).map(
      (result) => result.state === 'no-check' && result.reason,
    ),
  ).toEqual([
    "Answers can't be checked: no code. Reload the page.",
    "Answers can't be checked: no code. Reload the page.",
  ]);
  const mute = openStage({ isMute: true });
  const checked = openCheckClient(SPECS, mute.deps).check(jobs('a'));
  await mute.runOut();
  expect((await checked)[0]).toMatchObject({ state: 'no-check' });
});

it('has own functions run before, and judges by what they gave', async () => {
  const { deps } = openStage();
  const specs: readonly CheckSpec[] = [{ ...DEFAULT_CHECK, kind: 'function', expected: 'a1' }];
  const given = jobs('a', 'b').map((job) => Object.assign(job, { row: { n: 1 } }));
  expect((await openCheckClient(specs, deps).check(given)).map(({ state }) => state)).toEqual(['pass', 'fail']);
});

it('opens no worker after it was closed while functions ran', async () => {
  const { deps, opened, runOut } = openStage();
  const client = openCheckClient([{ ...DEFAULT_CHECK, kind: 'function', expected: 'a1' }], deps);
  void client.check(jobs('a'));
  client.close();
  await runOut();
  expect(opened).toHaveLength(0);
});
