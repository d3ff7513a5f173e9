// A trainer on another machine, as a process that ends when it says so, or when nothing is heard of it.
import type { TrainerEnd, TrainerProcess, TrainerProcessOptions } from './trainerProcess.ts';

export class RemoteTrainer implements TrainerProcess {
  readonly pid = null;
  readonly ended: Promise<TrainerEnd>;
  /** The studio wants it to save a checkpoint and end. */
  isStopped = false;
  /** Nothing more is taken from it. */
  hasEnded = false;
  #next = 0;
  #heardAt = performance.now();
  readonly #onLine: (line: string) => void;
  readonly #watch: NodeJS.Timeout;
  #resolve: (end: TrainerEnd) => void = () => undefined;

  /** `heardMs`: after so long without a word it counts as gone, and another machine may take its run. */
  constructor({ onLine }: Pick<TrainerProcessOptions, 'onLine'>, name: string, heardMs: number) {
    this.#onLine = (line) => onLine(line, false);
    this.ended = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#watch = setInterval(() => {
      if (performance.now() - this.#heardAt <= heardMs) return;
      const problem = `The worker ${name} was not heard of for ${Math.ceil(heardMs / 1000)} s.`;
      this.finish({ code: null, signal: null, problem, isGone: true });
    }, heardMs / 4);
  }

  stop(): void {
    this.isStopped = true;
  }

  kill(): void {
    this.finish({ code: null, signal: 'SIGKILL', problem: null });
  }

  finish(end: TrainerEnd): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    clearInterval(this.#watch);
    this.#resolve(end);
  }

  /** Its lines from number `from` on; those that came already are not taken twice. The number of the next line. */
  take(from: number, lines: readonly string[]): number {
    this.touch();
    this.takeUnnumbered(lines.slice(Math.max(0, this.#next - from)));
    this.#next = Math.max(this.#next, from + lines.length);
    return this.#next;
  }

  takeUnnumbered(lines: readonly string[]): void {
    for (const line of lines) this.#onLine(line);
  }

  /** It has been heard of. */
  touch(): void {
    this.#heardAt = performance.now();
  }
}
