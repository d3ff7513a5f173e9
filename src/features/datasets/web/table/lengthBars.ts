// The histogram of lengths, and lists of counts in words. Pure.
import type { Statistics } from '#features/datasets/shared/contract/rows.ts';
import { formatCount, formatCounted } from '#ui/kit/format.ts';

interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

interface Bar {
  readonly from: number;
  /** The few rows that are longer than the scale. */
  readonly isRest: boolean;
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

/** How much wider the last range is than the one before it, where it holds all rows beyond the scale. */
const REST_FACTOR = 1.4;

/** Ranges grow by one factor, but the last one can be all the rest. */
function findRest(bins: readonly Bin[]): Bin | undefined {
  const [before, last] = bins.slice(-2);
  if (!before || !last || before.from === 0) return undefined;
  return last.to / last.from > REST_FACTOR * (before.to / before.from) ? last : undefined;
}

/** Empty ranges at both ends are left out, those between are kept. */
export function toBars(bins: readonly Bin[], unit: LengthUnit): readonly Bar[] {
  const first = bins.findIndex(({ count }) => count > 0);
  const last = bins.findLastIndex(({ count }) => count > 0);
  if (first < 0) return [];
  const most = Math.max(...bins.map(({ count }) => count));
  const rest = findRest(bins);
  return bins.slice(first, last + 1).map((bin) => ({
    from: bin.from,
    isRest: bin === rest,
    share: bin.count === 0 ? 0 : Math.max(LEAST_SHARE, bin.count / most),
    label: `${formatCount(bin.from)} to ${formatCount(Math.max(bin.from, bin.to - 1))} ${unit}s: ${formatCounted(bin.count, 'row')}`,
  }));
}

/** "3 messages: 2,985 rows · 4 messages: 15 rows". */
export const toMessagesText = (counts: readonly NamedCount[]): string =>
  toTopText(counts, ({ name, count }) => `${formatCounted(Number(name), 'message')}: ${formatCounted(count, 'row')}`);

/** Three leading digits: an estimate says no more. */
const toAbout = (value: number): number => Number(value.toPrecision(3));

/** "median 96 · from 88 to 110 · 9,720 in all". If only some rows were counted, the sum of all is an estimate. */
export function toLengthsText({ tokens, lengths }: CountedLengths, rows: number): string {
  if (!lengths) return '';
  const { median, min, max, total } = lengths;
  const counted = tokens?.rows ?? rows;
  const all = counted < rows ? `about ${formatCount(toAbout((total / counted) * rows))}` : formatCount(total);
  return `median ${formatCount(median)} · from ${formatCount(min)} to ${formatCount(max)} · ${all} in all`;
}

/** What a context cuts of the rows, and rows of which nothing is trained, as sentences. */
export function toCutTexts(tokens: NonNullable<Statistics['tokens']>, rows: number): readonly string[] {
  const { model, context, cut_rows, cut_tokens, untrained_rows } = tokens;
  const texts: string[] = [];
  if (tokens.rows < rows)
    texts.push(`Tokens of ${formatCount(tokens.rows)} of ${formatCount(rows)} rows were counted. Of these:`);
  if (context !== null)
    texts.push(
      cut_rows === 0
        ? `The context of ${formatCount(context)} cuts nothing.`
        : `The context of ${formatCount(context)} cuts ${formatCounted(cut_tokens, 'token')} of ${formatCounted(cut_rows, 'row')}.`,
    );
  if (untrained_rows > 0)
    texts.push(`Of ${formatCounted(untrained_rows, 'row')} nothing would be trained by ${model}: it leaves them out.`);
  return texts;
}

/** "counting, 35 %" or, while the figures of before are shown, "counting again, 35 %"; null: it is done. */
export const toWorkText = (
  { state, is_old, progress }: Pick<Statistics, 'state' | 'is_old' | 'progress'>,
  verb: string,
): string | null => (state === 'running' ? `${verb}${is_old ? ' again' : ''}, ${Math.floor(progress * 100)} %` : null);

const SHOWN = 8;

interface NamedCount {
  readonly name: string;
  readonly count: number;
}

/** "user 1,200 · assistant 1,200 · and 3 more". */
export function toTopText(
  counts: readonly NamedCount[],
  toText: (entry: NamedCount) => string = ({ name, count }) => `${name} ${formatCount(count)}`,
): string {
  const more = counts.length - SHOWN;
  return [...counts.slice(0, SHOWN).map(toText), ...(more > 0 ? [`and ${formatCount(more)} more`] : [])].join(' · ');
}
