import { describe, expect, it } from 'vitest';
import { openTimedWorker, type WorkerReply } from './timedWorker.ts';
import { openWorkerCache } from './workerCache.ts';

type Made = { readonly name: string } | null;

const math = (name: string): Made => ({ name });

interface Opened {
  readonly sent: (readonly string[])[];
  readonly reply: (reply: WorkerReply<Made>) => void;
  readonly fail: (message: string) => void;
  isClosed: boolean;
}

/** Lets the client go on after what its worker said. */
const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

function setUp() {
  const workers: Opened[] = [];
  let timer: { readonly ms: number; readonly callback: () => void } | null = null;
  const { run } = openTimedWorker<string, Made>({
    jobMs: 2000,
    maxSlow: 5,
    openWorker: (reply, fail) => {
      const opened: Opened = { sent: [], reply, fail, isClosed: false };
      workers.push(opened);
      return { send: (sources) => void opened.sent.push(sources), close: () => void (opened.isClosed = true) };
    },
    later: (ms, callback) => {
      const mine = { ms, callback };
      timer = mine;
      return () => void (timer = timer === mine ? null : timer);
    },
  });
  const client = openWorkerCache<string, Made, Made>({
    run,
    toKey: (source) => source,
    toFound: (outcome) => (outcome.kind === 'done' ? outcome.result : null),
    batchSize: 16,
    maxKept: 100,
  });
  const changes: string[] = [];
  return {
    client,
    workers,
    changes,
    follow: (source: string) => client.follow(source, () => void changes.push(source)),
    last: (): Opened => workers.at(-1)!,
    result: async (name: string | null): Promise<void> => {
      workers.at(-1)!.reply({ kind: 'result', result: name === null ? null : math(name) });
      await settle();
    },
    timeOut: async (): Promise<void> => {
      timer?.callback();
      await settle();
    },
    due: (): number | undefined => timer?.ms,
  };
}

describe('the cache of results', () => {
  it('starts no worker before the first formula, and one for all', async () => {
    const { client, workers, follow, result, last, changes } = setUp();
    expect(workers).toHaveLength(0);
    follow('$a$');
    follow('$b$');
    follow('$c$');
    follow('$a$');
    last().reply({ kind: 'ready' });
    expect(client.get('$a$')).toBeUndefined();
    await result('a');
    expect(changes).toEqual(['$a$', '$a$']);
    expect(last().sent).toEqual([['$a$'], ['$b$', '$c$']]);
    await result('b');
    expect(changes).toHaveLength(2);
    await result(null);
    expect(changes).toEqual(['$a$', '$a$', '$b$', '$c$']);
    expect([client.get('$a$'), client.get('$b$'), client.get('$c$'), client.get('$d$')]).toEqual([
      math('a'),
      math('b'),
      null,
      undefined,
    ]);
    expect(workers).toHaveLength(1);
  });

  it('returns cached formulas at once, also after nothing showed them for a while', async () => {
    const { client, follow, result, last } = setUp();
    const end = follow('$a$');
    last().reply({ kind: 'ready' });
    await result('a');
    end();
    follow('$a$');
    expect(client.get('$a$')).toEqual(math('a'));
    expect(last().sent).toEqual([['$a$']]);
  });

  it('skips a formula that left the document before its turn, and renders it when it returns', async () => {
    const { follow, result, last } = setUp();
    follow('$a$');
    follow('$b$')();
    follow('$c$');
    last().reply({ kind: 'ready' });
    await result('a');
    expect(last().sent).toEqual([['$a$'], ['$c$']]);
    await result('c');
    follow('$b$');
    expect(last().sent.at(-1)).toEqual(['$b$']);
  });

  it('stops a formula that takes too long, shows its source, and renders the next in a new worker', async () => {
    const { client, workers, follow, result, timeOut, due, last, changes } = setUp();
    follow('$a$');
    last().reply({ kind: 'ready' });
    for (const source of ['$b$', '$bomb$', '$c$']) follow(source);
    await result('a');
    await result('b');
    expect(due()).toBe(2000);
    await timeOut();
    expect(workers[0]?.isClosed).toBe(true);
    expect(client.get('$bomb$')).toBeNull();
    expect(changes).toEqual(['$a$', '$b$', '$bomb$']);
    expect(last().sent).toEqual([['$c$']]);
    expect(due()).toBe(20_000);
    workers[0]?.reply({ kind: 'result', result: math('late') });
    expect(client.get('$c$')).toBeUndefined();
    last().reply({ kind: 'ready' });
    await result('c');
    expect(client.get('$c$')).toEqual(math('c'));
    expect(due()).toBeUndefined();
  });

  it.each<[string, (set: ReturnType<typeof setUp>) => unknown]>([
    ['its code does not arrive', (set) => set.last().fail('no code.')],
    ['it never says that it is ready', (set) => set.timeOut()],
  ])('shows all as typed when the worker does not start: %s', async (_what, break_) => {
    const set = setUp();
    set.follow('$a$');
    set.follow('$b$');
    await break_(set);
    await settle();
    expect([set.client.get('$a$'), set.client.get('$b$')]).toEqual([null, null]);
    set.follow('$c$');
    expect(set.client.get('$c$')).toBeNull();
    await settle();
    expect(set.workers).toHaveLength(1);
    expect(set.changes).toEqual(['$a$', '$b$', '$c$']);
  });

  it('stops rendering after several timeouts', async () => {
    const { client, workers, follow, timeOut, last } = setUp();
    for (let index = 0; index < 25; index += 1) {
      follow(`$${index}$`);
      last().reply({ kind: 'ready' });
      await timeOut();
    }
    expect(workers).toHaveLength(5);
    expect(client.get('$24$')).toBeNull();
  });

  it('removes only formulas that nothing shows from a large cache', async () => {
    const { client, follow, result, last } = setUp();
    follow('$kept$');
    last().reply({ kind: 'ready' });
    await result('kept');
    for (let index = 0; index < 210; index += 1) {
      const end = follow(`$${index}$`);
      await result('x');
      end();
    }
    expect(client.get('$kept$')).toEqual(math('kept'));
    expect(client.get('$0$')).toBeUndefined();
    expect(client.get('$209$')).toEqual(math('x'));
  });
});
