// The thread of an analysis: rows are parsed, counted and compared here, so that the service goes on answering.
import { openSide } from '#service/threads/isolatedSide.ts';
import { answerAsks } from '#service/threads/threadRequests.ts';
import type { Statistics } from '#features/datasets/shared/contract/rows.ts';
import type { RowBucket } from '#core/contract/rowsFile.ts';
import type { ChatRow } from '#core/rows/chatRow.ts';
import { toQuestionHash } from '#features/datasets/shared/contentHash.ts';
import { openFindings, type Finding, type Findings } from '#features/datasets/shared/findings/findings.ts';
import { toLanguageName } from '#features/datasets/shared/findings/languages.ts';
import { openStatistics, type CountedRows, type StatisticsCounter } from '#features/datasets/shared/statistics.ts';

export interface AnalysedRow {
  readonly position: number;
  readonly text: string;
  readonly hash: string;
  readonly side: RowBucket | null;
  /** By the base model; null: not counted. */
  readonly tokens: number | null;
}

export interface AnalysisResult {
  readonly counted: CountedRows & Pick<Statistics, 'languages'>;
  readonly findings: readonly Finding[];
  /** Positions of all rows of each finding, by its id, in order. */
  readonly rows: ReadonlyMap<string, Uint32Array>;
  /** For each of them, the position that it was compared with and 1; 0: there is none. */
  readonly others: ReadonlyMap<string, Uint32Array>;
}

export interface AnalysisThread {
  /** `context`: of the base model, in tokens; null: not known. */
  add(rows: readonly AnalysedRow[], context: number | null): Promise<void>;
  /** After the last row: 0 to 1, how much is done, until the result. */
  finishStep(): Promise<number | AnalysisResult>;
}

interface Work {
  readonly findings: Findings;
  readonly statistics: StatisticsCounter;
  finishing: Generator<number, void> | null;
}

/** Begun with the first rows, and forgotten with the result: the thread may have more to do. */
let work: Work | null = null;

const begin = (context: number | null): Work => ({
  findings: openFindings({ context }),
  statistics: openStatistics(),
  finishing: null,
});

function addRow({ findings, statistics }: Work, { position, text, hash, side, tokens }: AnalysedRow): void {
  const row = JSON.parse(text) as ChatRow;
  statistics.add(row);
  findings.add({ id: position, row, hash, question: toQuestionHash(row), side, tokens });
}

function toResult({ findings, statistics }: Work): AnalysisResult {
  const found = findings.toFindings();
  // They were found in the order of their positions.
  const rows = new Map(found.map(({ id }) => [id as string, findings.rowsOf(id)]));
  const others = new Map(found.map(({ id }) => [id as string, findings.othersOf(id)]));
  const languages = Array.from(findings.languages, ([language, count]) => ({
    name: language === null ? 'unknown' : toLanguageName(language),
    count,
  })).sort((a, b) => b.count - a.count);
  return { counted: { ...statistics.toCounts(), languages }, findings: found, rows, others };
}

answerAsks<AnalysisThread>(openSide(), {
  async add(rows, context) {
    work ??= begin(context);
    for (const row of rows) addRow(work, row);
  },
  async finishStep() {
    work ??= begin(null);
    work.finishing ??= work.findings.finish();
    const step = work.finishing.next();
    if (!step.done) return step.value;
    const result = toResult(work);
    work = null;
    return result;
  },
});
