import { afterEach, expect, it, vi } from 'vitest';
import { DEFAULT_CHECK } from '#features/evaluation/shared/checks.ts';
import type { CheckResult } from '#features/evaluation/shared/checkResult.ts';
import type { WorkerReply } from '#ui/timing/timedWorker.ts';
import type { CheckOrder } from './checkClient.ts';

afterEach(() => vi.unstubAllGlobals());

/** The real worker code; collects its replies. */
async function openWorker() {
  vi.resetModules();
  const replies: WorkerReply<CheckResult>[] = [];
  const scope = Object.assign(new EventTarget(), {
    postMessage: (reply: WorkerReply<CheckResult>) => void replies.push(reply),
  });
  vi.stubGlobal('self', scope);
  await import('./checkWorker.ts');
  return {
    replies,
    send: (data: readonly CheckOrder[]) => void scope.dispatchEvent(new MessageEvent('message', { data })),
  };
}

it('an answer that a check breaks on costs the others nothing', async () => {
  const { replies, send } = await openWorker();
  const specs = [{ ...DEFAULT_CHECK, expected: 'a' }];
  const job = (answer: string): CheckOrder => ({ answer, calls: [], expected: null, facts: {}, specs });
  const broken = {
    ...job(''),
    get answer(): string {
      throw new RangeError('Maximum call stack size exceeded');
    },
  };
  send([job('a'), broken, job('b')]);
  await vi.waitFor(() => expect(replies).toHaveLength(4), 20_000);
  expect(replies).toEqual([
    { kind: 'ready' },
    { kind: 'result', result: { state: 'pass' } },
    {
      kind: 'result',
      result: {
        state: 'no-check',
        reason:
          'The check could not judge this answer: Maximum call stack size exceeded. Judge it yourself, or choose ' +
          'another check.',
      },
    },
    { kind: 'result', result: expect.objectContaining({ state: 'fail' }) as object },
  ]);
});

it('loads what recognises languages before it is ready', async () => {
  const { replies, send } = await openWorker();
  const specs = [{ ...DEFAULT_CHECK, kind: 'language', expected: 'de' } as const];
  const answer = 'Der schnelle braune Fuchs springt über den faulen Hund.';
  send([{ answer, calls: [], expected: null, facts: {}, specs }]);
  expect(replies).toEqual([]);
  await vi.waitFor(
    () => expect(replies).toEqual([{ kind: 'ready' }, { kind: 'result', result: { state: 'pass' } }]),
    20_000,
  );
}, 30_000);
