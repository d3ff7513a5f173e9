// Finds tool calls that a model writes as text, `<tool_call>{"name":…,"arguments":{…}}</tool_call>`, while they stream.
// An invalid call stays text.
import type { EngineEvent } from './engine.ts';
import { JsonScanner, type JsonMember } from './jsonScanner.ts';

const OPEN = '<tool_call>';
const CLOSE = '</tool_call>';
/** White space before a mark belongs to the mark. A longer run is text, so that the buffer stays short. */
const MAX_SPACE = 256;

export interface ToolCallParserOptions {
  /** Tools that may be called. A call of any other tool stays text. */
  readonly names: ReadonlySet<string>;
  /** A new id for a call, such as `call_…`. */
  readonly createId: () => string;
}

/** Where the end of `text` starts that must be buffered: white space and the beginning of `mark`. */
function findBufferStart(text: string, mark: string): number {
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
  /** How many characters of the arguments were emitted; -1 before the call's first delta. */
  #emitted = -1;
  #index = -1;
  #callCount = 0;
  #isBroken = false;

  constructor(options: ToolCallParserOptions) {
    this.#options = options;
  }

  /** Number of complete calls. */
  get callCount(): number {
    return this.#callCount;
  }

  /** True if an emitted call turned out to be invalid JSON, or was cut. Its arguments must not be used. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  push(text: string): EngineEvent[] {
    const out: EngineEvent[] = [];
    this.#buffer += text;
    while (this.#step(out));
    return out;
  }

  /** The answer has ended: the buffered text becomes text, unless it is white space after a call. */
  flush(): EngineEvent[] {
    const out: EngineEvent[] = [];
    if (this.#phase === 'call') {
      if (this.#emitted >= 0) this.#isBroken = true;
      else this.#emitText(out, OPEN + this.#scanner.text + this.#buffer);
    } else if (this.#phase === 'text' && (this.#callCount === 0 || this.#buffer.trim() !== '')) {
      this.#emitText(out, this.#buffer);
    }
    this.#buffer = '';
    this.#phase = 'text';
    return out;
  }

  #emitText(out: EngineEvent[], text: string): void {
    if (text !== '') out.push({ type: 'text-delta', text });
  }

  /** Reads from the buffer; false if it needs more text. */
  #step(out: EngineEvent[]): boolean {
    if (this.#phase === 'text') return this.#readText(out);
    if (this.#phase === 'call') return this.#readCall(out);
    return this.#readClosing();
  }

  #readText(out: EngineEvent[]): boolean {
    const at = this.#buffer.indexOf(OPEN);
    if (at >= 0) {
      this.#emitText(out, this.#buffer.slice(0, at).trimEnd());
      this.#buffer = this.#buffer.slice(at + OPEN.length);
      this.#phase = 'call';
      this.#scanner = new JsonScanner();
      this.#emitted = -1;
      return true;
    }
    const from = findBufferStart(this.#buffer, OPEN);
    this.#emitText(out, this.#buffer.slice(0, from));
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
    if (this.#scanner.state === 'invalid' || !this.#emitCall(out)) {
      this.#reject(out);
      return true;
    }
    if (this.#scanner.state === 'open') return false;
    this.#callCount += 1;
    this.#phase = 'closing';
    return true;
  }

  #findMember(key: string): JsonMember | undefined {
    return this.#scanner.members.find((member) => member.key === key);
  }

  #parseValue(member: JsonMember): unknown {
    return member.end === null
      ? undefined
      : (JSON.parse(this.#scanner.text.slice(member.start, member.end)) as unknown);
  }

  /** Emits the known part of the call; false if it can't be a call of one of the tools. */
  #emitCall(out: EngineEvent[]): boolean {
    const { text, state } = this.#scanner;
    const name = this.#findMember('name');
    const args = this.#findMember('arguments');
    if (name === undefined || name.end === null) return state === 'open';
    const called = this.#parseValue(name);
    if (typeof called !== 'string' || !this.#options.names.has(called)) return false;
    if (args === undefined) {
      if (state === 'complete') this.#beginCall(out, called, '{}');
      return true;
    }
    if (text[args.start] !== '{')
      return args.end === null || this.#emitStringArguments(out, called, this.#parseValue(args));
    if (this.#emitted < 0) this.#beginCall(out, called, '');
    const piece = text.slice(args.start + this.#emitted, args.end ?? text.length);
    if (piece !== '') out.push({ type: 'tool-call-delta', index: this.#index, arguments: piece });
    this.#emitted += piece.length;
    return true;
  }

  /** Some models write the arguments as a string that contains JSON. */
  #emitStringArguments(out: EngineEvent[], name: string, value: unknown): boolean {
    if (this.#emitted >= 0) return true;
    if (typeof value !== 'string') return false;
    const scanner = new JsonScanner();
    for (let at = 0; at < value.length && scanner.state === 'open'; at += 1) scanner.push(value.charAt(at));
    if (scanner.state !== 'complete' || scanner.text.length !== value.length) return false;
    this.#beginCall(out, name, value);
    return true;
  }

  #beginCall(out: EngineEvent[], name: string, args: string): void {
    this.#index += 1;
    this.#emitted = args.length;
    out.push({ type: 'tool-call-delta', index: this.#index, id: this.#options.createId(), name });
    if (args !== '') out.push({ type: 'tool-call-delta', index: this.#index, arguments: args });
  }

  /** Not a call: all that was not emitted becomes text, which is searched for the next mark. */
  #reject(out: EngineEvent[]): void {
    if (this.#emitted < 0) {
      this.#emitText(out, OPEN);
      this.#buffer = this.#scanner.text + this.#buffer;
    } else {
      this.#isBroken = true;
      const args = this.#findMember('arguments');
      this.#buffer = this.#scanner.text.slice((args?.start ?? 0) + this.#emitted) + this.#buffer;
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
