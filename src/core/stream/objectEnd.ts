// Follows a JSON text that arrives in pieces, and says when its object is closed. It does not validate the JSON. It
// reads each character once, so checking after every piece is cheap.

export class ObjectEnd {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #hasBegun = false;
  #hadObject = false;

  /** Anything but white space has arrived. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** An object has arrived, and it is closed. */
  get isWhole(): boolean {
    return this.#hadObject && this.#depth === 0 && !this.#isInString;
  }

  push(piece: string): void {
    for (let index = 0; index < piece.length; index += 1) this.#take(piece[index] ?? '');
  }

  #take(char: string): void {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (char === '\\') this.#isEscaped = true;
      else if (char === '"') this.#isInString = false;
      return;
    }
    if (char === '"') this.#isInString = true;
    else if (char === '{' || char === '[') {
      this.#depth += 1;
      this.#hadObject = true;
    } else if (char === '}' || char === ']') this.#depth -= 1;
    else if (char === ' ' || char === '\n' || char === '\r' || char === '\t') return;
    this.#hasBegun = true;
  }
}
