// Holds what is known of one growing answer between renders, and how long showing it took.
// It must not know React.
import { EMPTY_MARKDOWN, reduceMarkdown, type MarkdownState } from './markdownSplit';

export interface MarkdownReader {
  /** The blocks of the answer so far. A text that does not begin with what was read before starts anew. */
  readonly read: (text: string, isFinal: boolean) => MarkdownState;
  /** Milliseconds since the last read began. */
  readonly sinceRead: () => number;
}

export function openMarkdown(now: () => number): MarkdownReader {
  let state = EMPTY_MARKDOWN;
  let before = '';
  let startedAt = 0;
  return {
    read: (text, isFinal) => {
      startedAt = now();
      state = reduceMarkdown(text.startsWith(before) ? state : EMPTY_MARKDOWN, text, isFinal);
      before = text;
      return state;
    },
    sinceRead: () => now() - startedAt,
  };
}
