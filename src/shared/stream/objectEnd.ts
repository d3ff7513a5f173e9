// Follows a JSON text that comes in pieces and tells when its object is closed. It does not say whether it is valid
// JSON. Each character is looked at once, so that asking after every piece costs nothing.

export class ObjectEnd {
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  #hasBegun = false;
  #hadObject = false;

  /** Anything but white space has come. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** An object has come, and it is closed. */
  get isWhole(): boolean {
    return this.#hadObject && this.#depth === 0 && !this.#isInText;
  }

  push(piece: string): void {
    for (let index = 0; index < piece.length; index += 1) this.#take(piece[index] ?? '');
  }

  #take(char: string): void {
    if (this.#isInText) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (char === '\\') this.#isEscaped = true;
      else if (char === '"') this.#isInText = false;
      return;
    }
    if (char === '"') this.#isInText = true;
    else if (char === '{' || char === '[') {
      this.#depth += 1;
      this.#hadObject = true;
    } else if (char === '}' || char === ']') this.#depth -= 1;
    else if (char === ' ' || char === '\n' || char === '\r' || char === '\t') return;
    this.#hasBegun = true;
  }
}
