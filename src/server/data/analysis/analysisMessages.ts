// What the thread of an analysis and its starter say to each other.
import type { Statistics } from '#shared/contract/data/rows.ts';
import type { RowBucket } from '#shared/contract/rowsFile.ts';
import type { Finding } from '#shared/data/findings/findings.ts';

export interface AnalysedRow {
  readonly position: number;
  readonly text: string;
  readonly hash: string;
  readonly side: RowBucket | null;
  /** By the base model; null: not counted. */
  readonly tokens: number | null;
}

export type ToAnalysis =
  /** `context`: of the base model, in tokens; null: not known. */
  | { readonly kind: 'rows'; readonly rows: readonly AnalysedRow[]; readonly context: number | null }
  | { readonly kind: 'end' };

/** What is counted of the rows alone, without their marks. */
export type CountedRows = Pick<Statistics, 'rows' | 'characters' | 'messages' | 'roles' | 'tools' | 'languages'>;

export interface AnalysisResult {
  readonly counted: CountedRows;
  readonly findings: readonly Finding[];
  /** Positions of all rows of each finding, by its id, in order. */
  readonly rows: ReadonlyMap<string, Uint32Array>;
  /** For each of them, the position that it was compared with and 1; 0: there is none. */
  readonly others: ReadonlyMap<string, Uint32Array>;
}

export type FromAnalysis =
  | { readonly kind: 'taken' }
  /** 0 to 1: of the work after the last row. */
  | { readonly kind: 'progress'; readonly share: number }
  | { readonly kind: 'end'; readonly result: AnalysisResult };
