// Finds tool calls that a model writes as text, `<tool_call>{"name":…,"arguments":{…}}</tool_call>`, while they stream.
// What is not a proper call stays text.
import type { EngineEvent } from './engine.ts';
import { JsonScanner, type JsonMember } from './jsonScanner.ts';

const OPEN = '<tool_call>';
const CLOSE = '</tool_call>';
/** White space before a mark belongs to the mark; a longer run is text, so that little is held back. */
const MAX_SPACE = 256;

export interface ToolCallParserOptions {
  /** Tools that may be called; a call of any other stays text. */
  readonly names: ReadonlySet<string>;
  /** A fresh id for a call, such as `call_…`. */
  readonly createId: () => string;
}

/** The end of `text` that may be white space and the beginning of `mark`. */
function heldFrom(text: string, mark: string): number {
  let from = text.length;
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length -= 1) {
    if (mark.startsWith(text.slice(-length))) {
      from = text.length - length;
      break;
    }
  }
  const spaceFrom = text.slice(0, from).trimEnd().length;
  return from - spaceFrom > MAX_SPACE ? from : spaceFrom;
}

export class ToolCallParser {
  readonly #options: ToolCallParserOptions;
  #phase: 'text' | 'call' | 'closing' = 'text';
  #buffer = '';
  #scanner = new JsonScanner();
  /** How much of the arguments was given out; -1 before the call's first delta. */
  #given = -1;
  #index = -1;
  #callCount = 0;
  #isBroken = false;

  constructor(options: ToolCallParserOptions) {
    this.#options = options;
  }

  /** Calls that came whole. */
  get callCount(): number {
    return this.#callCount;
  }

  /**
   * True when a call that had begun to stream turned out not to be JSON, or was cut: its arguments must not be used.
   */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  push(text: string): EngineEvent[] {
    const out: EngineEvent[] = [];
    this.#buffer += text;
    while (this.#step(out));
    return out;
  }

  /** The answer has ended: what was held back becomes text, or the last call. */
  flush(): EngineEvent[] {
    const out: EngineEvent[] = [];
    if (this.#phase === 'call') {
      if (this.#given >= 0) this.#isBroken = true;
      else this.#text(out, OPEN + this.#scanner.text + this.#buffer);
    } else if (this.#phase === 'text' && (this.#callCount === 0 || this.#buffer.trim() !== '')) {
      this.#text(out, this.#buffer);
    }
    this.#buffer = '';
    this.#phase = 'text';
    return out;
  }

  #text(out: EngineEvent[], text: string): void {
    if (text !== '') out.push({ type: 'text-delta', text });
  }

  /** Takes what it can from the buffer; false when it needs more. */
  #step(out: EngineEvent[]): boolean {
    if (this.#phase === 'text') return this.#readText(out);
    if (this.#phase === 'call') return this.#readCall(out);
    return this.#readClosing();
  }

  #readText(out: EngineEvent[]): boolean {
    const at = this.#buffer.indexOf(OPEN);
    if (at >= 0) {
      this.#text(out, this.#buffer.slice(0, at).trimEnd());
      this.#buffer = this.#buffer.slice(at + OPEN.length);
      this.#phase = 'call';
      this.#scanner = new JsonScanner();
      this.#given = -1;
      return true;
    }
    const from = heldFrom(this.#buffer, OPEN);
    this.#text(out, this.#buffer.slice(0, from));
    this.#buffer = this.#buffer.slice(from);
    return false;
  }

  #readCall(out: EngineEvent[]): boolean {
    let taken = 0;
    while (taken < this.#buffer.length && this.#scanner.state === 'open') {
      this.#scanner.push(this.#buffer.charAt(taken));
      taken += 1;
    }
    this.#buffer = this.#buffer.slice(taken);
    if (this.#scanner.state === 'invalid' || !this.#give(out)) {
      this.#reject(out);
      return true;
    }
    if (this.#scanner.state === 'open') return false;
    this.#callCount += 1;
    this.#phase = 'closing';
    return true;
  }

  #member(key: string): JsonMember | undefined {
    return this.#scanner.members.find((member) => member.key === key);
  }

  #value(member: JsonMember): unknown {
    return member.end === null
      ? undefined
      : (JSON.parse(this.#scanner.text.slice(member.start, member.end)) as unknown);
  }

  /** Gives out what is known of the call; false when it can't be a call of one of the tools. */
  #give(out: EngineEvent[]): boolean {
    const { text, state } = this.#scanner;
    const name = this.#member('name');
    const args = this.#member('arguments');
    if (name === undefined || name.end === null) return state === 'open';
    const called = this.#value(name);
    if (typeof called !== 'string' || !this.#options.names.has(called)) return false;
    if (args === undefined) {
      if (state === 'complete') this.#begin(out, called, '{}');
      return true;
    }
    if (text[args.start] !== '{') return args.end === null || this.#giveText(out, called, this.#value(args));
    if (this.#given < 0) this.#begin(out, called, '');
    const piece = text.slice(args.start + this.#given, args.end ?? text.length);
    if (piece !== '') out.push({ type: 'tool-call-delta', index: this.#index, arguments: piece });
    this.#given += piece.length;
    return true;
  }

  /** Some models write the arguments as a text that holds JSON. */
  #giveText(out: EngineEvent[], name: string, value: unknown): boolean {
    if (this.#given >= 0) return true;
    if (typeof value !== 'string') return false;
    const scanner = new JsonScanner();
    for (let at = 0; at < value.length && scanner.state === 'open'; at += 1) scanner.push(value.charAt(at));
    if (scanner.state !== 'complete' || scanner.text.length !== value.length) return false;
    this.#begin(out, name, value);
    return true;
  }

  #begin(out: EngineEvent[], name: string, args: string): void {
    this.#index += 1;
    this.#given = args.length;
    out.push({ type: 'tool-call-delta', index: this.#index, id: this.#options.createId(), name });
    if (args !== '') out.push({ type: 'tool-call-delta', index: this.#index, arguments: args });
  }

  /** Not a call: everything that was not given out as one goes on as text, where another mark may follow. */
  #reject(out: EngineEvent[]): void {
    if (this.#given < 0) {
      this.#text(out, OPEN);
      this.#buffer = this.#scanner.text + this.#buffer;
    } else {
      this.#isBroken = true;
      const args = this.#member('arguments');
      this.#buffer = this.#scanner.text.slice((args?.start ?? 0) + this.#given) + this.#buffer;
    }
    this.#phase = 'text';
  }

  #readClosing(): boolean {
    const rest = this.#buffer.trimStart();
    if (rest.length < CLOSE.length && CLOSE.startsWith(rest)) return false;
    this.#buffer = rest.startsWith(CLOSE) ? rest.slice(CLOSE.length) : this.#buffer;
    this.#phase = 'text';
    return true;
  }
}
