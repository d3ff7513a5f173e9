// Whether JSON that a model wrote is what was asked for, and how that is said. Pure data, without the check itself, so
// that what only shows a verdict needs no validator.

/** Somewhere in the JSON. */
interface JsonProblem {
  /** JSON pointer; empty for the whole. */
  readonly path: string;
  readonly message: string;
}

export type Verdict =
  /** It is still being written. */
  | { readonly state: 'open' }
  | { readonly state: 'valid' }
  /** Valid, but in a code fence. */
  | { readonly state: 'fenced' }
  | { readonly state: 'invalid'; readonly problems: readonly JsonProblem[] }
  | { readonly state: 'not-json'; readonly message: string }
  /** It ended before the JSON did. */
  | { readonly state: 'cut'; readonly message: string }
  /** There is nothing to check against. */
  | { readonly state: 'no-check'; readonly message: string };

interface VerdictLook {
  readonly tone: 'ok' | 'bad' | 'wait' | 'off';
  readonly word: string;
  /** Why, where one sentence says it. */
  readonly detail: string;
}

export function toVerdictLook(verdict: Verdict): VerdictLook {
  switch (verdict.state) {
    case 'open':
      return { tone: 'off', word: 'not complete yet', detail: '' };
    case 'valid':
      return { tone: 'ok', word: 'valid', detail: '' };
    case 'fenced':
      return {
        tone: 'wait',
        word: 'valid, in a fence',
        detail: 'A program has to take the JSON out of the code fence first.',
      };
    case 'invalid': {
      const count = verdict.problems.length;
      return { tone: 'bad', word: `${count} ${count === 1 ? 'violation' : 'violations'}`, detail: '' };
    }
    case 'not-json':
      return { tone: 'bad', word: 'not JSON', detail: verdict.message };
    case 'cut':
      return { tone: 'wait', word: 'incomplete', detail: verdict.message };
    case 'no-check':
      return { tone: 'off', word: 'not checked', detail: verdict.message };
    default: {
      const unknown: never = verdict;
      return unknown;
    }
  }
}
