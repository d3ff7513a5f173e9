// The verdict on JSON that a model wrote, and its words. Pure. The check is elsewhere, so that components that only show
// a verdict don't load the validator.

/** A violation at one place of the JSON. */
interface JsonProblem {
  /** JSON pointer; empty for the whole JSON. */
  readonly path: string;
  readonly message: string;
}

export type Verdict =
  /** The JSON is still arriving. */
  | { readonly state: 'open' }
  | { readonly state: 'valid' }
  /** Valid, but in a code fence. */
  | { readonly state: 'fenced' }
  | { readonly state: 'invalid'; readonly problems: readonly JsonProblem[] }
  | { readonly state: 'not-json'; readonly message: string }
  /** The answer ended before the JSON was complete. */
  | { readonly state: 'cut'; readonly message: string }
  /** There is no schema to check against. */
  | { readonly state: 'no-check'; readonly message: string };

interface VerdictLook {
  readonly tone: 'success' | 'error' | 'warning' | 'neutral';
  readonly word: string;
  /** The reason, if one sentence can say it; else empty. */
  readonly detail: string;
}

export function toVerdictLook(verdict: Verdict): VerdictLook {
  switch (verdict.state) {
    case 'open':
      return { tone: 'neutral', word: 'not complete yet', detail: '' };
    case 'valid':
      return { tone: 'success', word: 'valid', detail: '' };
    case 'fenced':
      return {
        tone: 'warning',
        word: 'valid, in a code fence',
        detail: 'A program has to take the JSON out of the code fence first.',
      };
    case 'invalid': {
      const count = verdict.problems.length;
      return { tone: 'error', word: `${count} ${count === 1 ? 'violation' : 'violations'}`, detail: '' };
    }
    case 'not-json':
      return { tone: 'error', word: 'not JSON', detail: verdict.message };
    case 'cut':
      return { tone: 'warning', word: 'incomplete', detail: verdict.message };
    case 'no-check':
      return { tone: 'neutral', word: 'not checked', detail: verdict.message };
    default: {
      const unknown: never = verdict;
      return unknown;
    }
  }
}
