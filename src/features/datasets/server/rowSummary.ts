// A row as the table shows it. Pure.
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import type { RowSummary } from '#features/datasets/shared/contract/rows.ts';
import type { RowBucket } from '#core/contract/rowsFile.ts';
import { toAllMessages, toPreferred } from '#core/rows/preferenceRows.ts';
import type { ChatRow, RowMessage } from '#core/rows/chatRow.ts';
import { toContentHash } from '#features/datasets/shared/contentHash.ts';
import { countCharacters } from '#core/rows/rowCalls.ts';
import { toFolded } from '#features/datasets/shared/searchQuery.ts';
import type { PlacedRow } from '#features/datasets/server/rows/rowBlocks.ts';
import type { RowMark } from './rowEdits.ts';

/** Characters that are shown before the place that a search found. */
const BEFORE = 60;

/** What a message says: its text, or the tools that it calls. */
function toText(message: RowMessage | undefined): string {
  if (!message) return '';
  const { content, tool_calls = [] } = message;
  if (content !== null && content !== '') return content;
  return tool_calls.map(({ function: { name, arguments: given } }) => `${name}(${given})`).join(' ');
}

/** The start of a text, or of the place where it has one of the words. */
function toPreview(text: string, words: readonly string[]): string {
  const folded = words.length > 0 && text.length > DATA_LIMITS.preview ? toFolded(text) : '';
  const places = words.map((word) => folded.indexOf(word)).filter((place) => place > DATA_LIMITS.preview - BEFORE);
  const from = places.length > 0 ? Math.max(0, Math.min(...places) - BEFORE) : 0;
  return `${from > 0 ? '…' : ''}${text.slice(from, from + DATA_LIMITS.preview)}`.toWellFormed();
}

export interface SummaryFacts {
  readonly mark: RowMark | undefined;
  readonly side: RowBucket | null;
  readonly tokens: number | null;
  /** The row that it was compared with. */
  readonly other: number | null;
  /** Folded words of the search. */
  readonly words: readonly string[];
  /** Of a snapshot: marks that came later say nothing about its text. */
  readonly isFrozen: boolean;
}

export function toSummary(
  { position, hash, text }: PlacedRow,
  row: ChatRow,
  { mark, side, tokens, other, words, isFrozen }: SummaryFacts,
): RowSummary {
  const { messages, tools = [] } = toPreferred(row);
  const isEdited = isFrozen ? JSON.stringify(row) !== text && mark?.edited != null : mark?.edited != null;
  const user = messages.find(({ role }) => role === 'user') ?? messages[0];
  const answer = messages.findLast(({ role }) => role === 'assistant');
  return {
    position,
    hash: isEdited ? toContentHash(JSON.stringify(row)) : hash,
    side,
    messages: toAllMessages(row).length,
    tools: tools.length,
    characters: countCharacters(row),
    tokens,
    question: toPreview(toText(user), words),
    answer: toPreview(toText(answer), words),
    is_set_aside: mark?.is_set_aside ?? false,
    tags: [...(mark?.tags ?? [])],
    is_edited: isEdited,
    other,
  };
}
