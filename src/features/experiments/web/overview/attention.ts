// What of a project needs a person: runs that failed, ended without a result, run or wait. Pure.
import { formatMeasure } from '#core/contract/numberNotation.ts';
import { MEANING_WORDS, toStatusMeaning, type StatusMeaning } from '#core/contract/statuses.ts';
import { toRateHint } from '#features/experiments/web/rows/rateHint.ts';
import { toJobIds, type ExperimentRow, type ExperimentSource } from '#features/experiments/web/rows/experimentRows.ts';

export type AttentionKind = Extract<StatusMeaning, 'bad' | 'ended' | 'working' | 'waiting'>;

export interface AttentionItem {
  readonly row: ExperimentRow;
  readonly kind: AttentionKind;
}

const KINDS: readonly AttentionKind[] = ['bad', 'ended', 'working', 'waiting'];

function toStatusKind(status: string | null | undefined): AttentionKind | null {
  const meaning = toStatusMeaning(status);
  return KINDS.find((kind) => kind === meaning) ?? null;
}

function toKind({ status, status_cause: cause, failure }: ExperimentRow): AttentionKind | null {
  // Also one that goes on: it trains for nothing.
  if (cause === 'diverged') return 'bad';
  const kind = toStatusKind(status);
  // Without a reason a person stopped or cancelled it, and knows why.
  return kind === 'ended' && failure === null ? null : kind;
}

/** As far as the tree says: why a run stopped, only its job does. */
export const mayNeedSomebody = ({ node }: ExperimentSource): boolean => toStatusKind(node.status) !== null;

/** The most urgent first: most runs that are stopped were stopped by a person. */
const URGENCY: readonly AttentionKind[] = ['bad', 'working', 'waiting', 'ended'];

/** The jobs to read while nobody has asked for all, at most `most`: first those with something that may need a person. */
export function toFirstJobs(sources: readonly ExperimentSource[], most: number): readonly string[] {
  const urgent = URGENCY.flatMap((kind) => toJobIds(sources.filter(({ node }) => toStatusKind(node.status) === kind)));
  return [...new Set([...urgent, ...toJobIds(sources)])].slice(0, most);
}

const toSentence = (text: string): string => {
  const trimmed = text.trim();
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}${/[.!?]$/.test(trimmed) ? '' : '.'}`;
};

function toFailedText(row: ExperimentRow, rows: readonly ExperimentRow[], isAbsolute: boolean): string {
  if (row.failure === null)
    return row.isPending
      ? 'The reason is being loaded.'
      : row.isUnread
        ? 'The reason is not loaded.'
        : 'The service sent no reason.';
  return [toSentence(row.failure), toRateHint(row, rows, isAbsolute)].filter((part) => part !== null).join(' ');
}

function toProgressText({ steps, last_loss }: ExperimentRow): string | null {
  const parts = [
    ...(steps === null ? [] : [`step ${steps}`]),
    ...(last_loss === null ? [] : [`training loss ${formatMeasure(last_loss)}`]),
  ];
  return parts.length === 0 ? null : parts.join(' · ');
}

/**
 * Why it failed, or what is known of how far it is; null: nothing. `rows`: what a failed run is compared with.
 * `isAbsolute`: the studio says that `learning_rate_multiplier` is the rate itself.
 */
export const toAttentionText = (
  { row, kind }: AttentionItem,
  rows: readonly ExperimentRow[],
  isAbsolute: boolean,
): string | null => {
  if (kind === 'bad') return toFailedText(row, rows, isAbsolute);
  return kind === 'ended' ? toSentence(row.failure ?? '') : toProgressText(row);
};

/** Failures first, then what stopped, what runs, what waits; equals in tree order. */
export function toAttention(rows: readonly ExperimentRow[]): readonly AttentionItem[] {
  const items = rows.flatMap((row): AttentionItem[] => {
    const kind = toKind(row);
    return kind === null ? [] : [{ row, kind }];
  });
  return KINDS.flatMap((kind) => items.filter((item) => item.kind === kind));
}

/** `1 failed · 2 running`. */
export function toAttentionCounts(items: readonly AttentionItem[]): string {
  return KINDS.flatMap((kind) => {
    const count = items.filter((item) => item.kind === kind).length;
    return count === 0 ? [] : [`${count} ${MEANING_WORDS[kind]}`];
  }).join(' · ');
}
