// Keeps the state of one growing answer between renders, and reads a large addition in pieces.
import { EMPTY_MARKDOWN, reduceMarkdown, type MarkdownState } from './markdownSplit.ts';
import { toSections, type Section } from './sections.ts';

interface ReadMarkdown {
  readonly state: MarkdownState;
  readonly sections: readonly Section[];
  /** Part of the text is unread: call `read` again. */
  readonly isBehind: boolean;
}

export interface MarkdownReader {
  /** The blocks of the answer so far. A text that does not begin with what was read before starts anew. */
  readonly read: (text: string, isFinal: boolean) => ReadMarkdown;
  /** Reads one more piece of that text; false once there is none. */
  readonly readOn: () => boolean;
}

/** Characters that are read at once: a few milliseconds of work, even where nothing is warm yet. */
export const PIECE = 64_000;
/** Of a long backlog this share is read at once, up to MAX_PIECE: an answer of a million tokens has to get done. */
const BACKLOG_SHARE = 0.25;
const MAX_PIECE = 160_000;

export function openMarkdown(): MarkdownReader {
  let state = EMPTY_MARKDOWN;
  let sections: readonly Section[] = [];
  let before = '';
  let isEnd = false;
  /** Number of characters that the splitter has got. */
  let given = 0;
  /** What `read` gave last, and whether more was read since then without it. */
  let shown: ReadMarkdown | null = null;
  let hasMore = false;
  const readOn = (): boolean => {
    const backlog = before.length - given;
    given += Math.floor(Math.min(backlog, Math.max(PIECE, Math.min(backlog * BACKLOG_SHARE, MAX_PIECE))));
    const isWhole = given === before.length;
    state = reduceMarkdown(state, isWhole ? before : before.slice(0, given), isEnd && isWhole);
    return !isWhole;
  };
  return {
    read: (text, isFinal) => {
      const isKnown = text === before && isFinal === isEnd && given === text.length;
      if (!text.startsWith(before)) {
        state = EMPTY_MARKDOWN;
        given = 0;
        shown = null;
      }
      before = text;
      isEnd = isFinal;
      if (!isKnown) readOn();
      const isBehind = given < text.length;
      // A piece that is followed at once by others needs no frame of its own.
      if (isBehind && shown && !hasMore) return { ...shown, isBehind };
      sections = toSections(sections, state.pages);
      hasMore = false;
      shown = { state, sections, isBehind };
      return shown;
    },
    readOn: () => {
      if (given === before.length) return false;
      hasMore = true;
      return readOn();
    },
  };
}
