import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { fetchKept } from './fetchKept.ts';

function hold() {
  let resolve: (answer: string) => void = () => undefined;
  const promise = new Promise<string>((settle) => (resolve = settle));
  const signals: AbortSignal[] = [];
  const options = {
    queryKey: ['held'],
    queryFn: ({ signal }: { signal: AbortSignal }) => {
      signals.push(signal);
      return promise;
    },
    retry: false,
  };
  return { options, signals, resolve };
}

it('a request that was joined goes on when those who asked for it have gone', async () => {
  const client = new QueryClient();
  const { options, signals, resolve } = hold();
  const leave = new QueryObserver(client, options).subscribe(() => undefined);
  const fetched = fetchKept(client, options);
  leave();
  resolve('answer');
  await expect(fetched).resolves.toBe('answer');
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
});

it('nothing is watched afterwards, well or not', async () => {
  const client = new QueryClient();
  const { options, resolve } = hold();
  const fetched = fetchKept(client, options);
  const [query] = client.getQueryCache().getAll();
  expect(query?.getObserversCount()).toBe(1);
  resolve('answer');
  await fetched;
  expect(query?.getObserversCount()).toBe(0);
  const refuse = { ...options, queryKey: ['refused'], queryFn: () => Promise.reject(new Error('refused')) };
  await expect(fetchKept(client, refuse)).rejects.toThrow('refused');
  expect(
    client
      .getQueryCache()
      .find({ queryKey: ['refused'] })
      ?.getObserversCount(),
  ).toBe(0);
});
