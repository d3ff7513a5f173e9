// A log as it grows: chunks of bytes become lines. A carriage return ends a line too, because progress bars write their
// next state over the last one.
import { LinePrefix } from '#features/runs/server/encodings/linePrefix.ts';

/** Longest line that is kept, in characters; the rest of it is dropped. */
const MAX_LINE = 64 * 1024;
const LINE_END = /[\r\n]/;
const ESCAPE = String.fromCharCode(0x1b);
const BELL = String.fromCharCode(7);
/** Colours and cursor movements of a terminal. */
const ESCAPE_SEQUENCE = new RegExp(
  `${ESCAPE}(?:\\[[0-9;?]*[ -/]*[@-~]|\\][^${BELL}${ESCAPE}]{0,200}${BELL}|[()][A-Z0-9])`,
  'g',
);

export class LogTail {
  readonly #prefix: LinePrefix | null;
  #decoder = new TextDecoder();
  #isAtStart = true;
  #open = '';

  /** `isConsole`: what a launcher writes before each line is taken away. */
  constructor({ isConsole = false } = {}) {
    this.#prefix = isConsole ? new LinePrefix() : null;
  }

  /** The lines that these bytes complete, without colours and empty lines. `isFromStart`: the log begins anew. */
  take(content: Uint8Array, isFromStart: boolean): readonly string[] {
    if (isFromStart) this.#reset();
    if (this.#isAtStart && content.length > 0) {
      // A redirection in PowerShell writes UTF-16.
      this.#decoder = new TextDecoder(content[0] === 0xff && content[1] === 0xfe ? 'utf-16le' : 'utf-8');
      this.#isAtStart = false;
    }
    const parts = (this.#open + this.#decoder.decode(content, { stream: true })).split(LINE_END);
    this.#open = (parts.pop() ?? '').slice(0, MAX_LINE);
    return parts.map((part) => this.#toLine(part)).filter((line) => line !== '');
  }

  /** The line that is not complete yet. A progress bar shows its newest state here. */
  get openLine(): string {
    return this.#toLine(this.#open);
  }

  #toLine(part: string): string {
    const line = toPlainLine(part);
    return this.#prefix ? (this.#prefix.strip(line) ?? '') : line;
  }

  #reset(): void {
    this.#isAtStart = true;
    this.#open = '';
    this.#prefix?.clear();
  }
}

const toPlainLine = (line: string): string => line.slice(0, MAX_LINE).replace(ESCAPE_SEQUENCE, '').trimEnd();
