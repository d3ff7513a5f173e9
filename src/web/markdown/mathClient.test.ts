import { describe, expect, it } from 'vitest';
import type { MathElement } from './mathAllowed.ts';
import { openMathClient, type MathReply } from './mathClient.ts';

const math = (name: string): MathElement => ({ name, attributes: {}, looks: [], children: [] });

interface Opened {
  readonly sent: (readonly string[])[];
  readonly reply: (reply: MathReply) => void;
  readonly fail: () => void;
  isClosed: boolean;
}

function setUp() {
  const workers: Opened[] = [];
  let timer: { readonly ms: number; readonly callback: () => void } | null = null;
  const client = openMathClient({
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
  const changes: string[] = [];
  return {
    client,
    workers,
    changes,
    follow: (source: string) => client.follow(source, () => void changes.push(source)),
    last: (): Opened => workers.at(-1)!,
    result: (name: string | null): void =>
      workers.at(-1)!.reply({ kind: 'result', math: name === null ? null : math(name) }),
    timeOut: (): void => timer?.callback(),
    due: (): number | undefined => timer?.ms,
  };
}

describe('the client of formulas', () => {
  it('starts no worker before the first formula, and one for all', () => {
    const { client, workers, follow, result, last, changes } = setUp();
    expect(workers).toHaveLength(0);
    follow('$a$');
    follow('$b$');
    follow('$c$');
    follow('$a$');
    last().reply({ kind: 'ready' });
    expect(client.get('$a$')).toBeUndefined();
    result('a');
    expect(changes).toEqual(['$a$', '$a$']);
    expect(last().sent).toEqual([['$a$'], ['$b$', '$c$']]);
    result('b');
    expect(changes).toHaveLength(2);
    result(null);
    expect(changes).toEqual(['$a$', '$a$', '$b$', '$c$']);
    expect([client.get('$a$'), client.get('$b$'), client.get('$c$'), client.get('$d$')]).toEqual([
      math('a'),
      math('b'),
      null,
      undefined,
    ]);
    expect(workers).toHaveLength(1);
  });

  it('has what it knows at once, also after nobody has shown it for a while', () => {
    const { client, follow, result, last } = setUp();
    const end = follow('$a$');
    last().reply({ kind: 'ready' });
    result('a');
    end();
    follow('$a$');
    expect(client.get('$a$')).toEqual(math('a'));
    expect(last().sent).toEqual([['$a$']]);
  });

  it('does not make what left the document before its turn, and does when it is back', () => {
    const { follow, result, last } = setUp();
    follow('$a$');
    follow('$b$')();
    follow('$c$');
    last().reply({ kind: 'ready' });
    result('a');
    expect(last().sent).toEqual([['$a$'], ['$c$']]);
    result('c');
    follow('$b$');
    expect(last().sent.at(-1)).toEqual(['$b$']);
  });

  it('ends one that takes too long, shows it as typed, and goes on with the next in a new worker', () => {
    const { client, workers, follow, result, timeOut, due, last, changes } = setUp();
    follow('$a$');
    last().reply({ kind: 'ready' });
    for (const source of ['$b$', '$bomb$', '$c$']) follow(source);
    result('a');
    result('b');
    expect(due()).toBe(2000);
    timeOut();
    expect(workers[0]?.isClosed).toBe(true);
    expect(client.get('$bomb$')).toBeNull();
    expect(changes).toEqual(['$a$', '$b$', '$bomb$']);
    expect(last().sent).toEqual([['$c$']]);
    expect(due()).toBe(20_000);
    workers[0]?.reply({ kind: 'result', math: math('late') });
    expect(client.get('$c$')).toBeUndefined();
    last().reply({ kind: 'ready' });
    result('c');
    expect(client.get('$c$')).toEqual(math('c'));
    expect(due()).toBeUndefined();
  });

  it.each<[string, (set: ReturnType<typeof setUp>) => void]>([
    ['its code does not arrive', (set) => set.last().fail()],
    ['it never says that it is ready', (set) => set.timeOut()],
  ])('shows all as typed when the worker does not start: %s', (_what, break_) => {
    const set = setUp();
    set.follow('$a$');
    set.follow('$b$');
    break_(set);
    expect([set.client.get('$a$'), set.client.get('$b$')]).toEqual([null, null]);
    set.follow('$c$');
    expect(set.client.get('$c$')).toBeNull();
    expect(set.workers).toHaveLength(1);
    expect(set.changes).toEqual(['$a$', '$b$', '$c$']);
  });

  it('gives up after a few that took too long', () => {
    const { client, workers, follow, timeOut, last } = setUp();
    for (let index = 0; index < 25; index += 1) {
      follow(`$${index}$`);
      last().reply({ kind: 'ready' });
      timeOut();
    }
    expect(workers).toHaveLength(5);
    expect(client.get('$24$')).toBeNull();
  });

  it('forgets what nobody shows once there is much of it, and nothing else', () => {
    const { client, follow, result, last } = setUp();
    follow('$kept$');
    last().reply({ kind: 'ready' });
    result('kept');
    for (let index = 0; index < 2100; index += 1) {
      const end = follow(`$${index}$`);
      result('x');
      end();
    }
    expect(client.get('$kept$')).toEqual(math('kept'));
    expect(client.get('$0$')).toBeUndefined();
    expect(client.get('$2099$')).toEqual(math('x'));
  });
});
