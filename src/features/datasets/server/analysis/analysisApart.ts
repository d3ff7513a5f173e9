// The thread of an analysis: rows are parsed, counted and compared here, so that the service goes on answering.
import { openSide } from '#service/threads/apartSide.ts';
import { answerAsks } from '#service/threads/asks.ts';
import type { Statistics } from '#features/datasets/shared/contract/rows.ts';
import type { RowBucket } from '#core/contract/rowsFile.ts';
import type { ChatRow } from '#core/rows/chatRow.ts';
import { toQuestionHash } from '#features/datasets/shared/contentHash.ts';
import { openFindings, type Finding, type Findings } from '#features/datasets/shared/findings/findings.ts';
import { toBars, toQuantile } from '#features/datasets/shared/lengths.ts';
import { toAllMessages } from '#core/rows/preferenceRows.ts';
import { openStatistics, type StatisticsCounter } from '#features/datasets/shared/statistics.ts';

export interface AnalysedRow {
  readonly position: number;
  readonly text: string;
  readonly hash: string;
  readonly side: RowBucket | null;
  /** By the base model; null: not counted. */
  readonly tokens: number | null;
}

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

export interface AnalysisThread {
  /** `context`: of the base model, in tokens; null: not known. */
  add(rows: readonly AnalysedRow[], context: number | null): Promise<void>;
  /** After the last row: 0 to 1, how much is done, until the result. */
  finishStep(): Promise<number | AnalysisResult>;
}

/** Of the histogram of lengths. */
const BARS = 24;

interface Work {
  readonly findings: Findings;
  readonly statistics: StatisticsCounter;
  readonly messageCounts: Map<number, number>;
  finishing: Generator<number, void> | null;
}

/** Begun with the first rows, and forgotten with the result: the thread may have more to do. */
let work: Work | null = null;

const begin = (context: number | null): Work => ({
  findings: openFindings({ context }),
  statistics: openStatistics(),
  messageCounts: new Map(),
  finishing: null,
});

function addRow(
  { findings, statistics, messageCounts }: Work,
  { position, text, hash, side, tokens }: AnalysedRow,
): void {
  const row = JSON.parse(text) as ChatRow;
  const messages = toAllMessages(row);
  statistics.add({ messages, ...(row.tools && { tools: row.tools }) });
  messageCounts.set(messages.length, (messageCounts.get(messages.length) ?? 0) + 1);
  findings.add({ id: position, row, hash, question: toQuestionHash(row), side, tokens });
}

function toCounted({ statistics, messageCounts }: Work): CountedRows {
  const { rows, characters, roles, tools, scripts } = statistics.toStatistics();
  return {
    rows,
    characters: {
      min: characters.min,
      median: Math.round(toQuantile(characters, 0.5)),
      max: characters.max,
      total: characters.sum,
      bins: toBars(characters, BARS).map(({ from, to, rows: count }) => ({
        from: Math.floor(from),
        to: Math.ceil(to),
        count,
      })),
    },
    messages: [...messageCounts].sort(([a], [b]) => a - b).map(([name, count]) => ({ name: String(name), count })),
    roles: roles.map(({ role, messages }) => ({ name: role, count: messages })),
    tools: tools.map(({ name, declared }) => ({ name, count: declared })),
    languages: scripts.map(({ script, rows: count }) => ({ name: script ?? 'unknown', count })),
  };
}

function toResult(done: Work): AnalysisResult {
  const { findings } = done;
  const found = findings.toFindings();
  // They were found in the order of their positions.
  const rows = new Map(found.map(({ id }) => [id as string, findings.rowsOf(id)]));
  const others = new Map(found.map(({ id }) => [id as string, findings.othersOf(id)]));
  return { counted: toCounted(done), findings: found, rows, others };
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
