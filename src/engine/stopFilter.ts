// Cuts a streamed text at the first stop sequence (SPEC 4.3 `stop`), even if several pieces contain it. Buffers only
// text that may be the beginning of a stop sequence.

/** Knuth-Morris-Pratt: for each length of a matched prefix, the next shorter one that still matches. */
function toFailures(stop: string): Int32Array {
  const failures = new Int32Array(stop.length);
  for (let at = 1, matched = 0; at < stop.length; at += 1) {
    while (matched > 0 && stop[at] !== stop[matched]) matched = failures[matched - 1] ?? 0;
    if (stop[at] === stop[matched]) matched += 1;
    failures[at] = matched;
  }
  return failures;
}

/** A cut must not leave the first half of a surrogate pair behind. */
function toWholeEnd(text: string, end: number): number {
  const code = text.charCodeAt(end - 1);
  return end > 0 && code >= 0xd800 && code <= 0xdbff ? end - 1 : end;
}

export class StopFilter {
  readonly #stops: readonly { readonly text: string; readonly failures: Int32Array; matched: number }[];
  #buffered = '';
  #isStopped = false;

  constructor(stop: string | readonly string[] | undefined) {
    const stops = typeof stop === 'string' ? [stop] : (stop ?? []);
    this.#stops = stops.filter((text) => text !== '').map((text) => ({ text, failures: toFailures(text), matched: 0 }));
  }

  /** True once a stop sequence was found. Later text is dropped. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Takes the next piece and returns the text that can be shown now. */
  push(piece: string): string {
    if (this.#stops.length === 0) return piece;
    if (this.#isStopped) return '';
    const text = this.#buffered + piece;
    for (let at = this.#buffered.length; at < text.length; at += 1) {
      const longest = this.#advance(text.charAt(at));
      if (longest > 0) {
        this.#isStopped = true;
        this.#buffered = '';
        return text.slice(0, toWholeEnd(text, at + 1 - longest));
      }
    }
    let matched = 0;
    for (const stop of this.#stops) matched = Math.max(matched, stop.matched);
    const end = toWholeEnd(text, text.length - matched);
    this.#buffered = text.slice(end);
    return text.slice(0, end);
  }

  /** The buffered text, where the text ends or is interrupted. Matching starts again after it. */
  flush(): string {
    const rest = this.#buffered;
    this.#buffered = '';
    for (const stop of this.#stops) stop.matched = 0;
    return rest;
  }

  /** The length of the longest stop sequence that ends with `char`; 0 if there is none. */
  #advance(char: string): number {
    let found = 0;
    for (const stop of this.#stops) {
      while (stop.matched > 0 && stop.text[stop.matched] !== char) stop.matched = stop.failures[stop.matched - 1] ?? 0;
      if (stop.text[stop.matched] === char) stop.matched += 1;
      if (stop.matched === stop.text.length) found = Math.max(found, stop.matched);
    }
    return found;
  }
}
