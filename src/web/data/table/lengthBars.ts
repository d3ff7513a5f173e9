// The histogram of lengths, and lists of counts in words. Pure.
import type { Statistics } from '#shared/contract/data/rows.ts';
import { formatCount, formatCounted } from '#web/ui/format.ts';

interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

interface Bar {
  readonly from: number;
  /** Of the highest bar, 0 to 1. */
  readonly share: number;
  /** "64 to 127 characters: 1,204 rows". */
  readonly label: string;
}

/** A bar that is there is seen, however few rows it has. */
const LEAST_SHARE = 0.02;

export type LengthUnit = 'character' | 'token';

export interface CountedLengths {
  /** What was counted: tokens where a base model was named and can count them. */
  readonly unit: LengthUnit;
  readonly tokens: Statistics['tokens'];
  /** null: no row was counted yet. */
  readonly lengths: Statistics['characters'] | null;
}

/** The lengths to show. Figures of no rows at all are none: they would read as rows without text. */
export function findLengths({ tokens, characters, rows }: Statistics): CountedLengths {
  if (tokens === null || tokens.error !== null)
    return { unit: 'character', tokens: null, lengths: rows > 0 ? characters : null };
  return { unit: 'token', tokens, lengths: tokens.rows > 0 ? tokens : null };
}

/** Empty ranges at both ends are left out, those between are kept. */
export function toBars(bins: readonly Bin[], unit: LengthUnit): readonly Bar[] {
  const first = bins.findIndex(({ count }) => count > 0);
  const last = bins.findLastIndex(({ count }) => count > 0);
  if (first < 0) return [];
  const most = Math.max(...bins.map(({ count }) => count));
  return bins.slice(first, last + 1).map(({ from, to, count }) => ({
    from,
    share: count === 0 ? 0 : Math.max(LEAST_SHARE, count / most),
    label: `${formatCount(from)} to ${formatCount(Math.max(from, to - 1))} ${unit}s: ${formatCounted(count, 'row')}`,
  }));
}

/** What a context cuts of the rows, and rows of which nothing is trained, as sentences. */
export function toCutTexts(tokens: NonNullable<Statistics['tokens']>, rows: number): readonly string[] {
  const { model, context, cut_rows, cut_tokens, untrained_rows } = tokens;
  const texts: string[] = [];
  if (context !== null)
    texts.push(
      cut_rows === 0
        ? `The context of ${formatCount(context)} cuts nothing.`
        : `The context of ${formatCount(context)} cuts ${formatCounted(cut_tokens, 'token')} of ${formatCounted(cut_rows, 'row')}.`,
    );
  if (untrained_rows > 0)
    texts.push(`Of ${formatCounted(untrained_rows, 'row')} nothing would be trained by ${model}.`);
  if (tokens.rows < rows)
    texts.push(`Tokens of ${formatCount(tokens.rows)} of ${formatCount(rows)} rows were counted.`);
  return texts;
}

/** "counting, 35 %" or, while the figures of before are shown, "counting again, 35 %"; null: it is done. */
export const toWorkText = (
  { state, is_old, progress }: Pick<Statistics, 'state' | 'is_old' | 'progress'>,
  verb: string,
): string | null => (state === 'running' ? `${verb}${is_old ? ' again' : ''}, ${Math.floor(progress * 100)} %` : null);

const SHOWN = 8;

/** "user 1,200, assistant 1,200 and 3 more". */
export function toTopText(counts: readonly { readonly name: string; readonly count: number }[]): string {
  const shown = counts.slice(0, SHOWN).map(({ name, count }) => `${name} ${formatCount(count)}`);
  const more = counts.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${formatCount(more)} more` : '');
}
