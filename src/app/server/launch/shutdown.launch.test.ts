// The other side of a shutdown: how the process before the service passes the wish to end on.
import { describe, expect, it } from 'vitest';

interface Wishes {
  readonly end: () => void;
  readonly onSignal: () => void;
}

type PassOnEnd = (options: {
  readonly child: { readonly connected: boolean; send(text: string): void; kill(signal: string): void };
  readonly now: () => number;
  readonly later: (run: () => void, ms: number) => void;
  readonly report: (line: string) => void;
}) => Wishes;

// Plain JavaScript, because launch.mjs runs without a loader.
const { forwardShutdown } = (await import(new URL('./forwardShutdown.mjs', import.meta.url).href)) as {
  forwardShutdown: PassOnEnd;
};

function open() {
  const told: string[] = [];
  const timers: { readonly at: number; readonly run: () => void }[] = [];
  let time = 0;
  const wishes = forwardShutdown({
    child: { connected: true, send: (text) => void told.push(text), kill: (signal) => void told.push(signal) },
    now: () => time,
    later: (run, ms) => void timers.push({ at: time + ms, run }),
    report: () => undefined,
  });
  return {
    ...wishes,
    told,
    /** Moves the clock to `ms` and runs what is due. */
    moveTo(ms: number) {
      const due = timers.filter(({ at }) => at > time && at <= ms);
      time = ms;
      for (const { run } of due) run();
    },
  };
}

describe('the process before the service', () => {
  it('asks it to end, and ends it by force when its time is up', () => {
    const { onSignal, moveTo, told } = open();
    onSignal();
    moveTo(7_999);
    expect(told).toEqual(['end']);
    moveTo(8_000);
    expect(told).toEqual(['end', 'SIGKILL']);
  });

  it('takes a signal that comes again within a second and a half for the same wish', () => {
    const { onSignal, end, moveTo, told } = open();
    onSignal();
    end();
    moveTo(400);
    onSignal();
    moveTo(1_500);
    onSignal();
    moveTo(7_999);
    expect(told).toEqual(['end']);
  });

  it('asks the service itself to end at once when it is asked again, and waits before it uses force', () => {
    const { onSignal, moveTo, told } = open();
    onSignal();
    moveTo(2_000);
    onSignal();
    onSignal();
    moveTo(4_999);
    expect(told).toEqual(['end', 'SIGTERM']);
    moveTo(5_000);
    expect(told).toEqual(['end', 'SIGTERM', 'SIGKILL']);
  });
});
