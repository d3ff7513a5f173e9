import { expect, it } from 'vitest';
import { toTextDiff } from '#core/differences/textDiff.ts';
import type { Outcome } from '#ui/timing/timedWorker.ts';
import { openDiffClient, type DiffJob, type DiffResult } from './diffClient.ts';

/** A worker that answers when the test says so. */
function setUp() {
  const asked: { readonly job: DiffJob | undefined; readonly answer: (outcome: Outcome<DiffResult>) => void }[] = [];
  const client = openDiffClient({
    run: (jobs) => new Promise((resolve) => void asked.push({ job: jobs[0], answer: (outcome) => resolve([outcome]) })),
  });
  const changes: string[] = [];
  const follow = (before: string, after: string): (() => void) =>
    client.follow(before, after, () => void changes.push(`${before} ${after}`));
  const answer = async (outcome?: Outcome<DiffResult>): Promise<void> => {
    const last = asked.at(-1);
    last?.answer(outcome ?? { kind: 'done', result: toTextDiff(last.job?.before ?? '', last.job?.after ?? '') });
    await Promise.resolve();
    await Promise.resolve();
  };
  return { client, asked, changes, follow, answer };
}

it('finds a difference once for all who show it, and keeps it for who shows it again', async () => {
  const { client, asked, changes, follow, answer } = setUp();
  const ends = [follow('a', 'b'), follow('a', 'b')];
  expect([asked.length, client.get('a', 'b')]).toEqual([1, undefined]);
  await answer();
  expect(changes).toEqual(['a b', 'a b']);
  const found = client.get('a', 'b');
  expect(found).toEqual({
    diff: {
      parts: [
        { kind: 'removed', text: 'a' },
        { kind: 'added', text: 'b' },
      ],
      isExact: true,
    },
  });
  for (const end of ends) end();
  follow('a', 'b');
  expect([asked.length, client.get('a', 'b')]).toEqual([1, found]);
  expect(client.get('a', 'b')).toBe(found);
});

it('finds one after the other, and none that nobody waits for any more', async () => {
  const { client, asked, follow, answer } = setUp();
  follow('a', 'b');
  const end = follow('c', 'd');
  follow('e', 'f');
  end();
  await answer();
  expect(asked.map(({ job }) => job?.before)).toEqual(['a', 'e']);
  await answer();
  follow('c', 'd');
  await answer();
  expect(client.get('c', 'd')).toBeDefined();
});

it('says when texts are too different, when it took too long, and when there is no worker', async () => {
  const { client, follow, answer } = setUp();
  follow('a', 'b');
  await answer({ kind: 'done', result: null });
  follow('c', 'd');
  await answer({ kind: 'slow' });
  follow('e', 'f');
  await answer({ kind: 'broken', message: 'its code could not be loaded.' });
  expect([client.get('a', 'b'), client.get('c', 'd'), client.get('e', 'f')]).toEqual([
    { diff: null },
    { diff: null },
    { problem: 'Differences can’t be found: its code could not be loaded. Reload the page.' },
  ]);
});

it('forgets what nobody shows once there is much of it', async () => {
  const { client, follow, answer } = setUp();
  follow('kept', 'kept');
  await answer();
  for (let at = 0; at < 100; at += 1) {
    const end = follow(String(at), '');
    await answer();
    end();
  }
  expect([
    client.get('kept', 'kept') === undefined,
    client.get('0', '') === undefined,
    client.get('99', '') === undefined,
  ]).toEqual([false, true, false]);
});
