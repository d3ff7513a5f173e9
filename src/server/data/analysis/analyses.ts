// Analyses of rows in the background: one at a time, begun by the first question, kept while the rows stay the same.
import { openThread } from '#server/apart/apart.ts';
import { openAsks, type Asks } from '#server/apart/asks.ts';
import type { RowsOf } from '#shared/contract/data/dataRoutes.ts';
import { DATA_LIMITS } from '#shared/contract/data/dataLimits.ts';
import { FINDING_KINDS, type Finding, type FindingList, type Statistics } from '#shared/contract/data/rows.ts';
import { toReason, type Database } from '#server/studio/database.ts';
import { BLOCK_ROWS } from '#server/studio/rows/rowBlocks.ts';
import { readRows } from '#server/studio/rows/rowStore.ts';
import { readMarks, type RowMark } from '#server/data/marks.ts';
import { openRowsView } from '#server/data/rowsView.ts';
import { findPlace } from '#server/data/sortedPositions.ts';
import type { RowViews } from '#server/views/rowViews.ts';
import { openTokenCounts, toTokens, withoutTokens, type TokenCounts } from './tokenCounts.ts';
import type { AnalysedRow, AnalysisResult, AnalysisThread } from './analysisApart.ts';

/** What was counted and found. */
interface Figures {
  readonly result: AnalysisResult;
  /** null: no base model was named. */
  readonly tokens: TokenCounts | null;
}

interface Analysis {
  readonly version: RowsVersion;
  state: 'running' | 'done' | 'failed';
  progress: number;
  error: string | null;
  /** Until it is done, those of before the last change. null: there are none yet. */
  figures: Figures | null;
  /** While it is running, of the rows that were counted so far and of those that are still the same. */
  tokens: TokenCounts | null;
  /** Tokens that were known before. */
  readonly carried: Uint32Array | null;
  readonly owner: RowsOf;
  readonly model: string | null;
  stop: () => void;
}

export interface Analyses {
  /**
   * Begins the work if it has not begun for these rows. `model`: whose tokens are counted; null: those that were asked for
   * last, or none. Throws DataProblem 404.
   */
  findings(owner: RowsOf, model: string | null): Promise<FindingList>;
  /** `context`: for which cuts are told; null: the model's own. */
  statistics(owner: RowsOf, model: string | null, context: number | null): Promise<Statistics>;
  /** By the base model that was asked for last; null: not counted. */
  tokensOf(owner: RowsOf): (position: number) => number | null;
  /** Positions in order; null: not known yet, or the rows have changed. */
  rowsOf(owner: RowsOf, finding: string): Uint32Array | null;
  /** The row that a row with a finding was compared with; null: there is none, or it is not known. */
  otherOf(owner: RowsOf, finding: string): (position: number) => number | null;
  /** The findings of one row that are known. */
  findingsOf(owner: RowsOf, position: number): readonly { kind: string; about: string; others: number[] }[];
  close(): Promise<void>;
}

/** Rows that are sent to the thread at a time. */
const PAGE = BLOCK_ROWS * 4;
/** Results that are kept: a person looks at one or two datasets. */
const MAX_KEPT = 8;
/** Copies of a row, which can all be set aside. */
const COPIES: ReadonlySet<string> = new Set(['duplicate', 'near-duplicate']);

const toName = ({ kind, id }: RowsOf, model: string | null): string => `${kind} ${id} ${model ?? ''}`;
const NO_COUNTS: AnalysisResult['counted'] = {
  rows: 0,
  characters: { min: 0, median: 0, max: 0, total: 0, bins: [] },
  messages: [],
  roles: [],
  tools: [],
  languages: [],
};

/** The rows that are looked through. */
interface RowsVersion {
  /** Another one whenever they change. Tags change nothing. */
  readonly key: string;
  /** Hashes of the edited ones by their positions. */
  readonly edits: ReadonlyMap<number, string>;
}

function toVersion(end: number, marks: readonly RowMark[]): RowsVersion {
  const parts = marks.filter((mark) => mark.is_set_aside || mark.edited_hash !== null);
  const texts = parts.map((mark) => `${mark.position}:${mark.edited_hash ?? ''}${mark.is_set_aside}`);
  const edits = parts.flatMap(({ position, edited_hash: hash }) => (hash === null ? [] : [[position, hash] as const]));
  return { key: `${end} ${texts.join()}`, edits: new Map(edits) };
}

/** The tokens that are known of rows whose texts are still the same. */
function carryTokens({ tokens, carried, version: { edits } }: Analysis, next: RowsVersion): Uint32Array | null {
  const changed = [...edits.keys(), ...next.edits.keys()].filter(
    (position) => edits.get(position) !== next.edits.get(position),
  );
  if (tokens) return tokens.toCarried(changed);
  if (!carried) return null;
  return withoutTokens(carried, changed);
}

const tokensIn = ({ tokens, carried }: Analysis, position: number): number | null =>
  tokens ? tokens.tokensOf(position) : toTokens(carried?.[position]);

function toFinding({ findings, rows }: AnalysisResult): Finding[] {
  return findings.flatMap((finding) => {
    const kind = FINDING_KINDS.find((each) => each === finding.id);
    if (kind === undefined) return [];
    const groups = finding.rows.map(({ id, other }) => (other === null ? [id] : [other, id]));
    const removable = COPIES.has(kind) ? [...(rows.get(kind) ?? [])].slice(0, DATA_LIMITS.marks) : [];
    return [
      {
        kind,
        about: `${finding.why} ${finding.todo}`,
        count: finding.count,
        groups: groups.slice(0, DATA_LIMITS.named),
        group_count: finding.count,
        removable,
      },
    ];
  });
}

/** The other rows that belong together with one: all that were compared with it, or with what it was compared with. */
function toGroup(
  rows: AnalysisResult['findings'][number]['rows'],
  own: { id: number; other: number | null },
  position: number,
): number[] {
  const heads = new Set([position, own.other ?? position]);
  const near = rows.filter(({ id, other }) => heads.has(id) || (other !== null && heads.has(other)));
  const all = new Set([own, ...near].flatMap(({ id, other }) => (other === null ? [id] : [id, other])));
  return [...all].filter((each) => each !== position).sort((a, b) => a - b);
}

export function openAnalyses(database: Database, views: Pick<RowViews, 'count'>): Analyses {
  const { orm } = database;
  const known = new Map<string, Analysis>();
  let queue: Promise<void> = Promise.resolve();
  let isClosed = false;

  /** The newest analysis of these rows, of whichever model. */
  const findLast = (owner: RowsOf, isWanted: (analysis: Analysis) => boolean = () => true): Analysis | undefined =>
    [...known.values()].findLast(
      (each) => each.owner.kind === owner.kind && each.owner.id === owner.id && isWanted(each),
    );

  /** The newest one that is done, if it is of the rows that are there now. */
  const findDone = (owner: RowsOf): Analysis | undefined => {
    const key = findLast(owner)?.version.key;
    return findLast(owner, ({ state, version }) => state === 'done' && version.key === key);
  };

  async function feed(analysis: Analysis, { ask }: Asks<AnalysisThread>): Promise<AnalysisResult> {
    const { owner, model, carried } = analysis;
    const view = await openRowsView(orm, owner);
    const pages = { end: view.end, pages: Math.ceil(view.end / PAGE), carried };
    const counts = (analysis.tokens = model === null ? null : openTokenCounts(views, model, pages));
    for (let from = 0; from < view.end; from += PAGE) {
      const range = { from, end: Math.min(from + PAGE, view.end) };
      const marks = await readMarks(orm, view.datasetId, range);
      const rows = (await readRows(orm, view.datasetId, range)).flatMap((row): AnalysedRow[] => {
        const side = view.sideOf(row);
        const mark = marks.get(row.position);
        // Rows that were set aside are no trouble any more.
        if (side === undefined || (!view.isFrozen && mark?.is_set_aside === true)) return [];
        const text = view.textOf(row, mark);
        const hash = text === row.text ? row.hash : (mark?.edited_hash ?? row.hash);
        return [{ position: row.position, text, hash, side, tokens: null }];
      });
      const counted = counts ? await counts.count(from / PAGE, rows) : rows;
      await ask('add', counted, counts?.context ?? null);
      analysis.progress = (range.end / Math.max(1, view.end)) * 0.5;
    }
    for (;;) {
      const step = await ask('finishStep');
      if (typeof step !== 'number') return step;
      analysis.progress = 0.5 + step / 2;
    }
  }

  async function run(analysis: Analysis): Promise<void> {
    if (isClosed || analysis.state !== 'running') return;
    const asks = openAsks<AnalysisThread>((onMessage) =>
      openThread({ entry: new URL('./analysisApart.ts', import.meta.url), onMessage }),
    );
    analysis.stop = () => void asks.apart.end();
    try {
      const result = await feed(analysis, asks);
      analysis.figures = { result, tokens: analysis.tokens };
      analysis.progress = 1;
      analysis.state = 'done';
    } catch (error) {
      analysis.state = 'failed';
      analysis.error = `The rows could not be looked through (${toReason(error)}). Ask again to try once more.`;
    } finally {
      await asks.apart.end();
    }
  }

  async function readVersion(owner: RowsOf): Promise<RowsVersion> {
    const view = await openRowsView(orm, owner);
    return toVersion(view.end, view.isFrozen ? [] : [...(await readMarks(orm, view.datasetId)).values()]);
  }

  async function find(owner: RowsOf, asked: string | null): Promise<Analysis> {
    const version = await readVersion(owner);
    const model = asked ?? findLast(owner)?.model ?? null;
    const name = toName(owner, model);
    const last = known.get(name);
    if (last?.version.key === version.key && last.state !== 'failed') {
      known.delete(name);
      known.set(name, last);
      return last;
    }
    last?.stop();
    if (last?.state === 'running') last.state = 'failed';
    const analysis: Analysis = {
      version,
      state: 'running',
      progress: 0,
      error: null,
      figures: last?.figures ?? null,
      tokens: null,
      carried: last ? carryTokens(last, version) : null,
      owner,
      model,
      stop: () => undefined,
    };
    const answer = last?.version.key === version.key ? { ...last } : analysis;
    known.delete(name);
    known.set(name, analysis);
    const [oldest] = known.keys();
    if (known.size > MAX_KEPT && oldest !== undefined) known.delete(oldest);
    queue = queue.then(() => run(analysis));
    return answer;
  }

  return {
    async findings(owner, model) {
      const { state, progress, error, figures } = await find(owner, model);
      const findings = figures ? toFinding(figures.result) : [];
      return { state, progress, error, is_old: figures !== null && state !== 'done', findings };
    },
    async statistics(owner, model, context) {
      const { state, progress, error, figures } = await find(owner, model);
      const view = await openRowsView(orm, owner);
      const marks = [...(await readMarks(orm, view.datasetId)).values()];
      const tags = new Map<string, number>();
      for (const tag of marks.flatMap((mark) => mark.tags)) tags.set(tag, (tags.get(tag) ?? 0) + 1);
      return {
        state,
        progress,
        error,
        is_old: figures !== null && state !== 'done',
        ...(figures?.result.counted ?? NO_COUNTS),
        tokens: figures?.tokens?.toStatistics(context) ?? null,
        tags: [...tags].sort(([, a], [, b]) => b - a).map(([tag, count]) => ({ name: tag, count })),
        set_aside_count: marks.filter((mark) => mark.is_set_aside).length,
        edited_count: marks.filter((mark) => mark.edited !== null).length,
      };
    },
    tokensOf(owner) {
      const analysis = findLast(owner, (each) => each.figures !== null);
      return (position) => (analysis ? tokensIn(analysis, position) : null);
    },
    rowsOf(owner, finding) {
      const result = findDone(owner)?.figures?.result;
      return result ? (result.rows.get(finding) ?? new Uint32Array()) : null;
    },
    otherOf(owner, finding) {
      const result = findDone(owner)?.figures?.result;
      const [rows, others] = [result?.rows.get(finding), result?.others.get(finding)];
      return (position) => {
        const at = rows ? findPlace(rows, position) : -1;
        const other = at < 0 ? 0 : (others?.[at] ?? 0);
        return other === 0 ? null : other - 1;
      };
    },
    findingsOf(owner, position) {
      const result = findDone(owner)?.figures?.result;
      return (result?.findings ?? []).flatMap(({ id, why, rows }) => {
        const own = rows.find((row) => row.id === position) ?? rows.find((row) => row.other === position);
        return own ? [{ kind: id, about: own.note ?? why, others: toGroup(rows, own, position) }] : [];
      });
    },
    async close() {
      isClosed = true;
      for (const analysis of known.values()) analysis.stop();
      await queue;
    },
  };
}
