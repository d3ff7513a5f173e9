import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { endOnSignals } from './shutdown.ts';

interface Ending {
  readonly signals: EventEmitter;
  readonly exits: number[];
  readonly reports: string[];
  readonly finish: (error?: Error) => void;
  closes: number;
  now: number;
}

function watch(): Ending {
  const ending: { resolve: () => void; reject: (error: Error) => void } = {
    resolve: () => undefined,
    reject: () => undefined,
  };
  const closed = new Promise<void>((resolve, reject) => Object.assign(ending, { resolve, reject }));
  const state: Ending = {
    signals: new EventEmitter(),
    exits: [],
    reports: [],
    finish: (error) => (error ? ending.reject(error) : ending.resolve()),
    closes: 0,
    now: 0,
  };
  endOnSignals({
    signals: state.signals,
    close() {
      state.closes += 1;
      return closed;
    },
    exit: (code) => state.exits.push(code),
    report: (line) => state.reports.push(line),
    now: () => state.now,
  });
  return state;
}

const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe('endOnSignals', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'])('%s closes, then ends with 0', async (signal) => {
    const state = watch();
    state.signals.emit(signal);
    await settle();
    expect([state.closes, state.exits]).toEqual([1, []]);
    state.finish();
    await settle();
    expect(state.exits).toEqual([0]);
  });

  it.each(['message', 'disconnect'])(
    'so does the process that started it, by %s; said twice it is still one wish',
    async (event) => {
      const state = watch();
      state.signals.emit(event);
      state.now = 1_000;
      state.signals.emit('disconnect');
      expect([state.closes, state.exits]).toEqual([1, []]);
      state.finish();
      await settle();
      expect(state.exits).toEqual([0]);
    },
  );

  it('a second wish ends at once', () => {
    const state = watch();
    state.signals.emit('SIGINT');
    state.now = 1_501;
    state.signals.emit('SIGINT');
    expect([state.closes, state.exits]).toEqual([1, [1]]);
  });

  it('one Ctrl-C that arrives twice is one wish', async () => {
    const state = watch();
    state.signals.emit('SIGINT');
    state.now = 1_000;
    state.signals.emit('SIGINT');
    state.signals.emit('SIGTERM');
    expect(state.exits).toEqual([]);
    state.finish();
    await settle();
    expect([state.closes, state.exits]).toEqual([1, [0]]);
  });

  it('a close that fails is said and ends with 1', async () => {
    const state = watch();
    state.signals.emit('SIGTERM');
    state.finish(new Error('disk full'));
    await settle();
    expect(state.exits).toEqual([1]);
    expect(state.reports).toEqual([expect.stringContaining('disk full')]);
  });
});
