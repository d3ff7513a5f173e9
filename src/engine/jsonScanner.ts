// Reads one JSON object strictly (RFC 8259), a character at a time, and lists its top-level members as they arrive.

export interface JsonMember {
  readonly key: string;
  /** Where the value begins in the scanner's text. */
  readonly start: number;
  /** Where the value ends (exclusive); null while it is incomplete. */
  end: number | null;
}

type Expected = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end';

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
  #expected: Expected = 'value';
  /** Where the current string or bare word begins; -1 outside of one. */
  #tokenStart = -1;
  #isString = false;
  #isKey = false;
  /** 0 outside of an escape, 1 after the backslash, then 2..5: the number of missing hexadecimal digits plus one. */
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
      if (this.#state === 'open' && !SPACE.test(char)) this.#readStructure(char, at);
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
    this.#expected = 'colon';
    if (this.#stack.length === 1) this.#key = JSON.parse(raw) as string;
  }

  #endBare(at: number): void {
    if (BARE_VALUE.test(this.#text.slice(this.#tokenStart, at))) this.#endValue(at);
    else this.#fail();
  }

  #endValue(end: number): void {
    this.#tokenStart = -1;
    this.#expected = 'comma-or-end';
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

  #readStructure(char: string, at: number): void {
    const top = this.#stack.at(-1);
    const mayEnd =
      this.#expected === 'comma-or-end' || this.#expected === 'value-or-end' || this.#expected === 'key-or-end';
    if (top !== undefined && char === CLOSER[top]) {
      if (!mayEnd) return this.#fail();
      this.#stack.pop();
      return this.#endValue(at + 1);
    }
    if (this.#expected === 'colon') {
      if (char !== ':') return this.#fail();
      this.#expected = 'value';
    } else if (this.#expected === 'comma-or-end') {
      if (char !== ',') return this.#fail();
      this.#expected = top === '{' ? 'key' : 'value';
    } else if (this.#expected === 'key' || this.#expected === 'key-or-end') {
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
      this.#expected = char === '{' ? 'key-or-end' : 'value-or-end';
    } else if (BARE.test(char)) this.#tokenStart = at;
    else this.#fail();
  }
}
