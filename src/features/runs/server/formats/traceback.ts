// The error that ended a log: a Python traceback after which nothing was trained.
import type { FactSource, StatusSign } from '#features/runs/server/evidence.ts';

const START = 'Traceback (most recent call last)';
const RANK = /^\[rank\d+\]:\s*/;
/** `ValueError: text`, `torch.OutOfMemoryError: ...`, `KeyboardInterrupt`: the first line that is not indented. */
const ERROR = /^((?:[A-Za-z_]\w*\.)*[A-Z]\w*)(?:: (.*))?$/;
/** Most of a line that is looked at. */
const MAX_LINE = 4000;
/** Longest message that is kept. */
const MAX_MESSAGE = 500;

export interface LoggedError {
  /** The last line of the traceback. */
  readonly message: string;
  /** true: a person stopped it, with Ctrl+C. */
  readonly isInterrupt: boolean;
}

/** Sees each line of a log, and knows the error that came last. */
export class TracebackWatch {
  #isOpen = false;
  #error: LoggedError | null = null;

  take(line: string): void {
    if (line.includes(START)) {
      this.#isOpen = true;
      return;
    }
    if (!this.#isOpen) return;
    const [, name, message = ''] = ERROR.exec(line.slice(0, MAX_LINE).replace(RANK, '')) ?? [];
    if (name === undefined) return;
    this.#isOpen = false;
    const text = message === '' ? name : `${name}: ${message}`;
    this.#error = { message: text.slice(0, MAX_MESSAGE), isInterrupt: name === 'KeyboardInterrupt' };
  }

  /** The training went on: whatever was written before was not its end. */
  clear(): void {
    this.#isOpen = false;
    this.#error = null;
  }

  /** null: the log has no traceback, or its last line is not written yet. */
  get error(): LoggedError | null {
    return this.#error;
  }

  /** The error as a sign of how the run ended. `at`: Unix milliseconds; null: unknown. */
  toSigns(source: FactSource, at: number | null): readonly StatusSign[] {
    if (!this.#error) return [];
    const { message, isInterrupt } = this.#error;
    return [{ kind: isInterrupt ? 'interrupted' : 'traceback', reason: message, at, source }];
  }
}
