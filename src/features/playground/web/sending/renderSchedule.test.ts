import { describe, expect, it } from 'vitest';
import { openFrames, type Frames, type Shown } from './renderSchedule.ts';

interface Stage {
  readonly frames: Frames;
  readonly shown: () => number;
  /** In so many frames it shows what there is. */
  parts: number;
  /** What is said of the last part. */
  after: Shown;
  time: number;
  isHidden: boolean;
  isFlooded: boolean;
  /** How long a frame takes in which something is shown. */
  cost: number;
  /** Lets timers and then the next frame happen. */
  readonly frame: () => void;
}

function openStage(): Stage {
  let shown = 0;
  let remaining = 0;
  let queue: (() => void)[] = [];
  let timers: { readonly at: number; readonly callback: () => void }[] = [];
  const stage: Stage = {
    time: 1000,
    isHidden: false,
    isFlooded: false,
    cost: 0,
    parts: 1,
    after: 'all',
    shown: () => shown,
    frames: openFrames(
      () => {
        shown += 1;
        remaining = (remaining === 0 ? stage.parts : remaining) - 1;
        return remaining > 0 ? 'part' : stage.after;
      },
      {
        now: () => stage.time,
        isHidden: () => stage.isHidden,
        isFlooded: () => stage.isFlooded,
        requestFrame: (callback) => queue.push(callback),
        later: (callback, ms) => timers.push({ at: stage.time + ms, callback }),
        afterFrame: (callback) => {
          stage.time += stage.cost;
          callback();
        },
      },
    ),
    frame: () => {
      stage.time += 16;
      const due = timers.filter((timer) => timer.at <= stage.time);
      timers = timers.filter((timer) => timer.at > stage.time);
      for (const timer of due) timer.callback();
      if (stage.isHidden) return;
      const now = queue;
      queue = [];
      for (const callback of now) callback();
    },
  };
  return stage;
}

function stream(stage: Stage, frames: number, batches: number): void {
  for (let frame = 0; frame < frames; frame += 1) {
    for (let batch = 0; batch < batches; batch += 1) stage.frames.request();
    stage.frame();
  }
}

describe('openFrames', () => {
  it('shows the first text in the very next frame', () => {
    const stage = openStage();
    stage.frames.request();
    expect(stage.shown()).toBe(0);
    stage.frame();
    expect(stage.shown()).toBe(1);
  });

  it('shows a flood some seven times a second, its beginning at once', () => {
    const stage = openStage();
    stage.isFlooded = true;
    stream(stage, 1, 1);
    expect(stage.shown()).toBe(1);
    stream(stage, 62, 3);
    expect(stage.shown()).toBeGreaterThanOrEqual(6);
    expect(stage.shown()).toBeLessThanOrEqual(8);
  });

  it('asks for a frame for what came between two parts of a show, without another request', () => {
    const stage = openStage();
    Object.assign(stage, { parts: 2, after: 'older' });
    stage.frames.request();
    stage.frame();
    stage.frames.request();
    stage.frame();
    expect(stage.shown()).toBe(2);
    stage.parts = 1;
    stage.after = 'all';
    for (let frame = 0; frame < 10; frame += 1) stage.frame();
    expect(stage.shown()).toBe(3);
  });

  it('shows in every second frame, and less often what comes faster than anyone reads', () => {
    const slow = openStage();
    stream(slow, 60, 3);
    expect(slow.shown()).toBeGreaterThanOrEqual(20);
    expect(slow.shown()).toBeLessThanOrEqual(31);
    const fast = openStage();
    stream(fast, 60, 40);
    expect(fast.shown()).toBeGreaterThanOrEqual(12);
    expect(fast.shown()).toBeLessThan(slow.shown());
  });

  it('shows less often what takes long to lay out and paint, yet never stops showing', () => {
    const shownIn = (cost: number, ms: number): number => {
      const stage = openStage();
      stage.cost = cost;
      const end = stage.time + ms;
      while (stage.time < end) stream(stage, 1, 3);
      return stage.shown();
    };
    expect(shownIn(20, 3000)).toBeLessThanOrEqual(30);
    expect(shownIn(20, 3000)).toBeGreaterThanOrEqual(20);
    expect(shownIn(60, 3000)).toBeLessThanOrEqual(10);
    expect(shownIn(1000, 9000)).toBeGreaterThanOrEqual(5);
  });

  it('does not wait for frames in a hidden page, nor show more than once a second', () => {
    const stage = openStage();
    stage.isHidden = true;
    stream(stage, 250, 3);
    expect(stage.shown()).toBeGreaterThanOrEqual(4);
    expect(stage.shown()).toBeLessThanOrEqual(5);
    stage.isHidden = false;
    const before = stage.shown();
    stage.frame();
    stage.frame();
    stage.frame();
    expect(stage.shown()).toBeGreaterThan(before);
  });

  it('shows the rest of a show in the very next frame, without another request', () => {
    const stage = openStage();
    stage.parts = 3;
    stage.cost = 20;
    stage.frames.request();
    for (const count of [1, 2, 3, 3]) {
      stage.frame();
      expect(stage.shown()).toBe(count);
    }
  });

  it('counts the cost of the rest as well', () => {
    const shownIn = (parts: number): number => {
      const stage = openStage();
      stage.parts = parts;
      stage.cost = 20;
      const end = stage.time + 6000;
      while (stage.time < end) stream(stage, 1, 3);
      return stage.shown();
    };
    expect(shownIn(4)).toBeLessThan(shownIn(1) * 1.3);
    expect(shownIn(4)).toBeGreaterThan(shownIn(1) * 0.7);
  });
});
