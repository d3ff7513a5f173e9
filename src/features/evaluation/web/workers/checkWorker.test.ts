import { afterEach, expect, it, vi } from 'vitest';
import { DEFAULT_CHECK } from '#features/evaluation/shared/checks.ts';
import type { CheckMessage, CheckReply } from './checkClient.ts';

afterEach(() => vi.unstubAllGlobals());

/** The real worker code; collects its replies. */
async function openWorker() {
  vi.resetModules();
  const replies: CheckReply[] = [];
  const scope = Object.assign(new EventTarget(), { postMessage: (reply: CheckReply) => void replies.push(reply) });
  vi.stubGlobal('self', scope);
  await import('./checkWorker.ts');
  return { replies, send: (data: CheckMessage) => void scope.dispatchEvent(new MessageEvent('message', { data })) };
}

it('an answer that a check breaks on costs the others nothing', async () => {
  const { replies, send } = await openWorker();
  send({ kind: 'checks', specs: [{ ...DEFAULT_CHECK, expected: 'a' }] });
  const job = (answer: string) => ({ answer, calls: [], expected: null });
  const broken = {
    ...job(''),
    get answer(): string {
      throw new RangeError('Maximum call stack size exceeded');
    },
  };
  send({ kind: 'jobs', jobs: [job('a'), broken, job('b')] });
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
