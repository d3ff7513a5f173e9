// A trainer on another machine, as a process that ends when it says so, or when nothing is heard of it.
import type { TrainerEnd, TrainerProcess, TrainerProcessOptions } from './trainerProcess.ts';

export interface RemoteTrainer extends TrainerProcess {
  /** Its lines from number `from` on; those that came already are not taken twice. The number of the next line. */
  take(from: number, lines: readonly string[]): number;
  /** Lines that have no number. */
  takeUnnumbered(lines: readonly string[]): void;
  /** It has been heard of. */
  touch(): void;
  finish(end: TrainerEnd): void;
  /** The studio wants it to save a checkpoint and end. */
  readonly isStopped: boolean;
  /** Nothing more is taken from it. */
  readonly hasEnded: boolean;
}

/** `heardMs`: after so long without a word it counts as gone, and another machine may take its run. */
export function openRemoteTrainer(
  { onLine }: Pick<TrainerProcessOptions, 'onLine'>,
  name: string,
  heardMs: number,
): RemoteTrainer {
  let isStopped = false;
  let hasEnded = false;
  let next = 0;
  let heardAt = performance.now();
  let resolveEnd: (end: TrainerEnd) => void = () => undefined;
  const ended = new Promise<TrainerEnd>((resolve) => {
    resolveEnd = resolve;
  });
  const finish = (end: TrainerEnd): void => {
    if (hasEnded) return;
    hasEnded = true;
    clearInterval(watch);
    resolveEnd(end);
  };
  const watch = setInterval(() => {
    if (performance.now() - heardAt <= heardMs) return;
    const problem = `The worker ${name} was not heard of for ${Math.ceil(heardMs / 1000)} s.`;
    finish({ code: null, signal: null, problem, isGone: true });
  }, heardMs / 4);
  return {
    pid: null,
    stop() {
      isStopped = true;
    },
    kill: () => finish({ code: null, signal: 'SIGKILL', problem: null }),
    ended,
    take(from, lines) {
      heardAt = performance.now();
      for (const line of lines.slice(Math.max(0, next - from))) onLine(line, false);
      next = Math.max(next, from + lines.length);
      return next;
    },
    takeUnnumbered(lines) {
      for (const line of lines) onLine(line, false);
    },
    touch() {
      heardAt = performance.now();
    },
    finish,
    get isStopped() {
      return isStopped;
    },
    get hasEnded() {
      return hasEnded;
    },
  };
}
