// Reads one JSON object strictly (RFC 8259), a character at a time, and tells its top-level members as they come.

export interface JsonMember {
  readonly key: string;
  /** Where the value begins in the scanner's text. */
  readonly start: number;
  /** Where it ends (exclusive); null while it is still coming. */
  end: number | null;
}

type Want = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end';

const SPACE = /[ \t\n\r]/;
const BARE = /[-+.0-9a-zE]/;
const BARE_VALUE = /^(?:true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)$/;
const CLOSER = { '{': '}', '[': ']' } as const;
const MAX_DEPTH = 100;

export class JsonScanner {
  readonly members: JsonMember[] = [];
  #text = '';
  #state: 'open' | 'complete' | 'invalid' = 'open';
  readonly #stack: ('{' | '[')[] = [];
  #want: Want = 'value';
  /** Where the string or bare word being read began; -1 outside of one. */
  #tokenStart = -1;
  #isString = false;
  #isKey = false;
  /** Inside an escape: 1 after the backslash, then 2..5 for the hexadecimal digits still to come plus one. */
  #escape = 0;
  #key = '';

  get text(): string {
    return this.#text;
  }

  get state(): 'open' | 'complete' | 'invalid' {
    return this.#state;
  }

  /** Takes one more character (UTF-16 unit). After `complete` and `invalid` nothing may follow. */
  push(char: string): void {
    const at = this.#text.length;
    this.#text += char;
    if (this.#isString) this.#readString(char, at);
    else if (this.#tokenStart >= 0 && BARE.test(char)) return;
    else {
      if (this.#tokenStart >= 0) this.#endBare(at);
      if (this.#state === 'open' && !SPACE.test(char)) this.#readMark(char, at);
    }
  }

  #fail(): void {
    this.#state = 'invalid';
  }

  #readString(char: string, at: number): void {
    if (this.#escape > 1) {
      if (!/[0-9a-fA-F]/.test(char)) return this.#fail();
      this.#escape = this.#escape === 2 ? 0 : this.#escape - 1;
    } else if (this.#escape === 1) {
      if (!/["\\/bfnrtu]/.test(char)) return this.#fail();
      this.#escape = char === 'u' ? 5 : 0;
    } else if (char === '\\') {
      this.#escape = 1;
    } else if (char < ' ') {
      this.#fail();
    } else if (char === '"') {
      this.#isString = false;
      if (this.#isKey) this.#endKey(at);
      else this.#endValue(at + 1);
    }
  }

  #endKey(at: number): void {
    const raw = this.#text.slice(this.#tokenStart, at + 1);
    this.#tokenStart = -1;
    this.#want = 'colon';
    if (this.#stack.length === 1) this.#key = JSON.parse(raw) as string;
  }

  #endBare(at: number): void {
    if (BARE_VALUE.test(this.#text.slice(this.#tokenStart, at))) this.#endValue(at);
    else this.#fail();
  }

  #endValue(end: number): void {
    this.#tokenStart = -1;
    this.#want = 'comma-or-end';
    if (this.#stack.length === 0) {
      this.#state = 'complete';
      return;
    }
    const member = this.members.at(-1);
    if (this.#stack.length === 1 && member) member.end = end;
  }

  #beginValue(at: number): void {
    if (this.#stack.length === 1) this.members.push({ key: this.#key, start: at, end: null });
  }

  #readMark(char: string, at: number): void {
    const top = this.#stack.at(-1);
    const wantsEnd = this.#want === 'comma-or-end' || this.#want === 'value-or-end' || this.#want === 'key-or-end';
    if (top !== undefined && char === CLOSER[top]) {
      if (!wantsEnd) return this.#fail();
      this.#stack.pop();
      return this.#endValue(at + 1);
    }
    if (this.#want === 'colon') {
      if (char !== ':') return this.#fail();
      this.#want = 'value';
    } else if (this.#want === 'comma-or-end') {
      if (char !== ',') return this.#fail();
      this.#want = top === '{' ? 'key' : 'value';
    } else if (this.#want === 'key' || this.#want === 'key-or-end') {
      if (char !== '"') return this.#fail();
      [this.#tokenStart, this.#isString, this.#isKey] = [at, true, true];
    } else this.#readValue(char, at);
  }

  #readValue(char: string, at: number): void {
    if (this.#stack.length === 0 && char !== '{') return this.#fail();
    this.#beginValue(at);
    if (char === '"') [this.#tokenStart, this.#isString, this.#isKey] = [at, true, false];
    else if (char === '{' || char === '[') {
      if (this.#stack.length >= MAX_DEPTH) return this.#fail();
      this.#stack.push(char);
      this.#want = char === '{' ? 'key-or-end' : 'value-or-end';
    } else if (BARE.test(char)) this.#tokenStart = at;
    else this.#fail();
  }
}
