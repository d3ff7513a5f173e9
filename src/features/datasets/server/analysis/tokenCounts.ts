// The tokens of rows by a base model, as they are counted page after page: of a million rows some, evenly spread.
import type { Statistics } from '#features/datasets/shared/contract/rows.ts';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import { openLengths } from '#features/datasets/shared/lengths.ts';
import { ViewFailure, type RowViews } from '#features/datasets/server/modelView/modelViews.ts';
import type { RowTokens } from '#features/datasets/server/modelView/renderRow.ts';
import type { AnalysedRow } from './analysisEntry.ts';

type TokenStatistics = NonNullable<Statistics['tokens']>;

export interface TokenCounts {
  /** The model's own context; null: not known, or nothing was counted yet. */
  readonly context: number | null;
  /** The rows of a page with their tokens, if it is one that is counted. */
  count(page: number, rows: readonly AnalysedRow[]): Promise<readonly AnalysedRow[]>;
  /** Of memory. */
  readonly bytes: number;
  /** Also of rows that were counted before; null: it was not counted. */
  tokensOf(position: number): number | null;
  /** All that `tokensOf` knows. */
  toKnown(): Uint32Array;
  /** `context` null: the model's own. */
  toStatistics(context: number | null): TokenStatistics;
}

/** Characters and rows that are counted at a time, and characters of a row that is counted at all. */
const BATCH_TEXT = 1024 * 1024;
const BATCH_ROWS = 256;
const MAX_TEXT = 1024 * 1024;
const NOT_COUNTED = 0xffff_ffff;

function toBatches(rows: readonly AnalysedRow[]): AnalysedRow[][] {
  const batches: AnalysedRow[][] = [];
  let length = Infinity;
  for (const row of rows) {
    if (row.text.length > MAX_TEXT) continue;
    length += row.text.length;
    if (length > BATCH_TEXT || (batches.at(-1)?.length ?? 0) >= BATCH_ROWS) {
      batches.push([]);
      length = row.text.length;
    }
    batches.at(-1)?.push(row);
  }
  return batches;
}

interface CountedPages {
  /** Positions are below it. */
  readonly end: number;
  /** Into how many pages they are cut. */
  readonly pages: number;
  /** What an earlier count of the same model knew. It is no part of the statistics. */
  readonly before: Uint32Array | null;
}

export function openTokenCounts(
  views: Pick<RowViews, 'count'>,
  model: string,
  { end, pages, before }: CountedPages,
  maxRows: number = DATA_LIMITS.tokenRows,
): TokenCounts {
  const tokens = new Uint32Array(end).fill(NOT_COUNTED);
  /** Of the shorter answers of pairs; made for the first pair. */
  let others: Uint32Array | null = null;
  let otherTotal = 0;
  let compared = 0;
  const lengths = openLengths();
  /** Every page, or one of so many. */
  const step = Math.min(Math.max(1, Math.ceil(end / maxRows)), Math.max(1, pages));
  let own: number | null = null;
  let trained = 0;
  let untrained = 0;
  let error: string | null = null;

  function add(row: AnalysedRow, found: RowTokens): AnalysedRow {
    tokens[row.position] = found.tokens;
    lengths.add(found.tokens);
    if (found.problem?.kind === 'comparison') compared += 1;
    if (found.otherTokens > 0) {
      others ??= new Uint32Array(end);
      others[row.position] = found.otherTokens;
      otherTotal += found.otherTokens;
    }
    trained += found.trained;
    if (found.trained - found.trainedCut === 0) untrained += 1;
    return { ...row, tokens: found.tokens };
  }

  function lookUp(position: number): number {
    const found = tokens[position] ?? NOT_COUNTED;
    return found === NOT_COUNTED ? (before?.[position] ?? NOT_COUNTED) : found;
  }

  return {
    get context() {
      return own;
    },
    get bytes() {
      return tokens.byteLength + (others?.byteLength ?? 0) + (before?.byteLength ?? 0);
    },
    async count(page, rows) {
      if (error !== null || page % step !== 0) return rows;
      const counted = new Map<number, AnalysedRow>();
      try {
        for (const batch of toBatches(rows)) {
          const answer = await views.count(
            model,
            batch.map(({ text }) => text),
            null,
          );
          own = answer.context;
          for (const [at, row] of batch.entries()) {
            const found = answer.rows[at];
            if (found) counted.set(row.position, add(row, found));
          }
        }
      } catch (reason) {
        if (!(reason instanceof ViewFailure)) throw reason;
        error = reason.message;
      }
      return rows.map((row) => counted.get(row.position) ?? row);
    },
    tokensOf(position) {
      const found = lookUp(position);
      return found === NOT_COUNTED ? null : found;
    },
    toKnown: () => Uint32Array.from(tokens, (_, position) => lookUp(position)),
    toStatistics(asked) {
      const context = asked ?? own;
      let cut_rows = 0;
      let cut_tokens = 0;
      if (context !== null) {
        for (const [position, count] of tokens.entries()) {
          if (count === NOT_COUNTED || count <= context) continue;
          cut_rows += 1;
          cut_tokens += count - context + Math.max(0, (others?.[position] ?? 0) - context);
        }
      }
      const figures = lengths.toFigures();
      return {
        model,
        context,
        rows: lengths.rows,
        ...figures,
        total: figures.total + otherTotal,
        trained,
        cut_rows,
        cut_tokens,
        untrained_rows: untrained,
        compared_rows: compared,
        error,
      };
    },
  };
}
