// Pages of traces: by a cursor within the groups that the filters leave, so that a page of a million costs as much as one of a
// hundred.
import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import type { ORDERS, SORTS, TraceList } from '#features/traces/shared/traces.ts';
import { TRACE_LIMITS, type Band } from '#features/traces/shared/traceLimits.ts';
import type { Orm } from '#service/database/database.ts';
import { Refusal } from '#service/http/refusal.ts';
import { selectTraces } from './traceStore.ts';
import { toTrace, traceGroups, traces } from './traceTables.ts';

export interface TraceQuestion {
  readonly projectId: string | null;
  /** null: all. */
  readonly modelIds: readonly string[] | null;
  readonly band: Band | null;
  readonly sortBy: (typeof SORTS)[number];
  readonly sortOrder: (typeof ORDERS)[number];
  readonly search: string;
}

/** A trace that a page begins after. `score` null: the trace has none, or the order is that of time. */
export interface Place {
  readonly score: number | null;
  readonly position: number;
}

/** Where a page begins: after a trace, or after so many, which are counted from a known place `near` them. */
export type PageStart =
  | { readonly after: Place }
  | { readonly rank: number; readonly near?: { readonly rank: number; readonly after: Place } | undefined };

/** Traces that a search looks at in one step, and how long it takes steps. */
const SEARCH_STEP = 500;
const SEARCH_MS = 80;

/** `next` of an answer -> where the page after it begins. */
export function parseCursor(text: string): { readonly after: Place } {
  const [, score, position = text] = /^s(.+)_(\d+)$/.exec(text) ?? [];
  return { after: { score: score === undefined ? null : Number(score), position: Number(position) } };
}

const toCursor = ({ score, position }: Key, isByScore: boolean): string =>
  isByScore && score !== null ? `s${score}_${position}` : String(position);

interface Group {
  readonly id: number;
  readonly band: Band;
  readonly traces: number;
}

interface Key {
  readonly position: number;
  readonly score: number | null;
  readonly isFound: boolean;
}

/** The groups that the filters leave. */
async function findGroups(orm: Orm, { projectId, modelIds, band }: TraceQuestion): Promise<Group[]> {
  return orm
    .select({ id: traceGroups.id, band: traceGroups.band, traces: traceGroups.traces })
    .from(traceGroups)
    .where(
      and(
        sql`${traceGroups.traces} > 0`,
        projectId === null ? undefined : eq(traceGroups.project_id, projectId),
        modelIds === null ? undefined : inArray(traceGroups.model_id, [...modelIds]),
        band === null ? undefined : eq(traceGroups.band, band),
      ),
    );
}

interface Walk {
  readonly groups: readonly Group[];
  readonly isByScore: boolean;
  readonly isAscending: boolean;
}

/** Where the keys that are wanted begin in a walk. */
interface WalkStart {
  readonly after: Place | null;
  readonly skip: number;
}

/** The next keys of a walk through groups. Each group gives as many as may be needed, by its index; then they are merged. */
async function readKeys(
  orm: Orm,
  { groups, isByScore, isAscending }: Walk,
  { after, skip }: WalkStart,
  limit: number,
  search: string,
): Promise<Key[]> {
  if (groups.length === 0) return [];
  const direction = sql.raw(isAscending ? 'asc' : 'desc');
  const beyond = sql.raw(isAscending ? '>' : '<');
  const order = isByScore ? sql`score ${direction}, position ${direction}` : sql`position ${direction}`;
  let isAfter: SQL = sql`true`;
  if (after !== null) {
    const { score, position } = after;
    isAfter = isByScore
      ? sql`(score, position) ${beyond} (${score}::double precision, ${position}::bigint)`
      : sql`position ${beyond} ${position}::bigint`;
  }
  const ids = sql.raw(groups.map(({ id }) => id).join(','));
  const isFound =
    search === ''
      ? sql`true`
      : sql`exists (select 1 from ${traces} t where t.id = k.id and
          (strpos(lower(t.input), lower(${search})) > 0 or strpos(lower(t.output), lower(${search})) > 0))`;
  const { rows } = (await orm.execute(sql`
    select k.position, k.score, ${isFound} as found from (
      select one.* from unnest(array[${ids}]) as g(id), lateral (
        select id, position, score from ${traces} where group_id = g.id and ${isAfter}
        order by ${order} limit ${skip + limit}
      ) as one
      order by ${order} offset ${skip} limit ${limit}
    ) as k order by ${order}`)) as unknown as { rows: { position: string; score: number | null; found: boolean }[] };
  return rows.map(({ position, score, found }) => ({ position: Number(position), score, isFound: found }));
}

/** The walks of an order, one after the other: by score those without one come last, in the order of time. */
function toWalks(groups: readonly Group[], { sortBy, sortOrder }: TraceQuestion): Walk[] {
  const isAscending = sortOrder === 'asc';
  if (sortBy === 'createdAt') return [{ groups, isByScore: false, isAscending }];
  return [
    { groups: groups.filter(({ band }) => band !== 'unscored'), isByScore: true, isAscending },
    { groups: groups.filter(({ band }) => band === 'unscored'), isByScore: false, isAscending },
  ];
}

const countOf = (groups: readonly Group[]): number => groups.reduce((sum, group) => sum + group.traces, 0);

/** null: the page begins behind the walk, of which `base` traces come before and `count` are in it. Throws Refusal 400. */
function toWalkStart(
  start: PageStart,
  { isByScore }: Walk,
  base: number,
  count: number,
  isTwoWalks: boolean,
): WalkStart | null {
  if ('after' in start) {
    const { after } = start;
    if (isByScore && after.score === null) return null;
    return { after: isTwoWalks && !isByScore && after.score !== null ? null : after, skip: 0 };
  }
  const { rank, near } = start;
  if (rank >= base + count) return null;
  if (rank <= base) return { after: null, skip: 0 };
  // Scores may have changed since: a place in the other walk is none here.
  const isHere = !isTwoWalks || ((near?.after.score ?? null) !== null) === isByScore;
  const isNear = near !== undefined && near.rank > base && isHere;
  const skip = rank - (isNear ? near.rank : base);
  if (skip > TRACE_LIMITS.skipped)
    throw new Refusal(
      400,
      `The page is more than ${TRACE_LIMITS.skipped} traces from one that was read before. Go on with after, which is the ` +
        'next of an answer, or begin at the other end with sortOrder.',
      'page_too_far',
      'page',
    );
  return { after: isNear ? near.after : null, skip };
}

/** The next keys from `start` on, through all walks. */
async function readAcross(
  orm: Orm,
  walks: readonly Walk[],
  start: PageStart,
  limit: number,
  search: string,
): Promise<{ readonly keys: Key[]; readonly cursorOf: (key: Key) => string }> {
  const isByScore = walks.some((walk) => walk.isByScore);
  const cursorOf = (key: Key): string => toCursor(key, isByScore);
  const keys: Key[] = [];
  let base = 0;
  for (const walk of walks) {
    const count = countOf(walk.groups);
    const from = toWalkStart(start, walk, base, count, isByScore);
    base += count;
    if (from) keys.push(...(await readKeys(orm, walk, from, limit - keys.length, search)));
    if (keys.length >= limit) break;
  }
  return { keys, cursorOf };
}

async function readRows(orm: Orm, keys: readonly Key[]): Promise<TraceList['results']> {
  if (keys.length === 0) return [];
  const places = keys.map(({ position }) => position);
  const rows = await selectTraces(orm, inArray(traces.position, places));
  const byPosition = new Map(rows.map((row) => [row.position, row]));
  return places.flatMap((position) => {
    const row = byPosition.get(position);
    return row ? [toTrace(row)] : [];
  });
}

/** A page. Of a search: what was found in a short time, with `next` where it goes on. */
export async function listTraces(orm: Orm, question: TraceQuestion, start: PageStart): Promise<TraceList> {
  const groups = await findGroups(orm, question);
  const walks = toWalks(groups, question);
  const { page } = TRACE_LIMITS;
  if (question.search === '') {
    const { keys, cursorOf } = await readAcross(orm, walks, start, page + 1, '');
    const shown = keys.slice(0, page);
    const last = shown.at(-1);
    return {
      results: await readRows(orm, shown),
      total: countOf(groups),
      next: keys.length > page && last ? cursorOf(last) : null,
    };
  }
  const until = performance.now() + SEARCH_MS;
  const hits: Key[] = [];
  // A page by its number begins after so many hits.
  let skip = 'rank' in start ? start.rank - (start.near?.rank ?? 0) : 0;
  let from: PageStart = 'after' in start ? start : (start.near ?? { rank: 0 });
  for (;;) {
    const { keys, cursorOf } = await readAcross(orm, walks, from, SEARCH_STEP, question.search);
    const found = keys.filter(({ isFound }) => isFound);
    hits.push(...found.slice(skip, skip + page - hits.length));
    skip = Math.max(0, skip - found.length);
    const isFull = hits.length >= page;
    const last = isFull ? hits.at(-1) : keys.at(-1);
    const isOver = keys.length < SEARCH_STEP && !(isFull && last !== keys.at(-1));
    if (isOver || isFull || performance.now() > until)
      return {
        results: await readRows(orm, hits),
        total: hits.length,
        next: isOver || !last ? null : cursorOf(last),
      };
    if (last) from = parseCursor(cursorOf(last));
  }
}
