// Rows of datasets from traces: the answer as it is where its score is good, else one that a model corrects in the background.
import { and, asc, eq, sql } from 'drizzle-orm';
import type { ChatMessage } from '#core/contract/chatMessage.ts';
import { GOOD_SCORE, toBand, TRACE_LIMITS } from '#features/traces/shared/traceLimits.ts';
import type { TraceAdded } from '#features/traces/shared/traces.ts';
import { addDatapoint, toRowId } from '#features/datasets/server/datasets.ts';
import type { Database, Orm } from '#service/database/database.ts';
import { LeaseLost } from '#service/database/leases/holdLease.ts';
import { leases, openLeases, type Leases } from '#service/database/leases/leases.ts';
import { openWorkLoop } from '#service/database/leases/workLoop.ts';
import { datasets, notDeleted, projects } from '#service/database/tables.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';
import { EngineError } from '#engine/engine.ts';
import { findSettings, findTrace } from './traceStore.ts';
import { traces, type GroupedRow } from './traceTables.ts';

const LEASE_MS = 15_000;
const POLL_MS = 1_000;
/** The same where there are no other services. */
const ALONE_POLL_MS = 30_000;
/** Longer than any statement takes. */
const DATABASE_MS = 20_000;
/** A correction that ended the service so often has failed. */
const MAX_ATTEMPTS = 3;
const CORRECTION_MS = 600_000;

export interface TraceRowsOptions {
  readonly database: Database;
  readonly now: () => Date;
  /** The model that corrects where a project names none; null: there is none. */
  readonly findTeacher: () => Promise<string | null>;
  /** A whole answer. Throws EngineError. */
  readonly ask: (model: string, messages: ChatMessage[], signal: AbortSignal) => Promise<string>;
  readonly onWarning: (text: string) => void;
  readonly leaseMs?: number | undefined;
}

export interface TraceRows {
  /** `datasetId` null: the first one of the trace's project. Throws HttpProblem 404 for a trace that is not there. */
  add(traceId: string, datasetId: string | null): Promise<TraceAdded>;
  /** Ends the correction that is made now; another service, or the next start, makes it again. */
  close(): Promise<void>;
}

/** What was asked. */
const toMessages = ({ messages, input }: Pick<GroupedRow, 'messages' | 'input'>): ChatMessage[] =>
  messages === null ? [{ role: 'user', content: input }] : (JSON.parse(messages) as ChatMessage[]);

/** A trace that can't become a row. The message is what people read. */
class NotAdded extends Error {}

/** Throws NotAdded where there is none. */
async function findTarget(orm: Orm, { project_id }: GroupedRow, datasetId: string | null): Promise<string> {
  if (datasetId === null && project_id === null)
    throw new NotAdded(
      'The trace belongs to no project. Give it one with projectId, or name a dataset with datasetId.',
    );
  const isIt = datasetId === null ? eq(datasets.project_id, project_id ?? '') : eq(datasets.id, datasetId);
  const [first] = await orm
    .select({ id: datasets.id })
    .from(datasets)
    .innerJoin(projects, eq(datasets.project_id, projects.id))
    .where(and(isIt, eq(datasets.status, 'completed'), notDeleted(datasets, projects)))
    .orderBy(asc(datasets.position))
    .limit(1);
  if (first) return first.id;
  throw new NotAdded(
    datasetId === null
      ? "The trace's project has no dataset that is complete. Make one, or name another project's with datasetId."
      : `There is no dataset ${datasetId} that is complete. Check the id.`,
  );
}

/** Adds the row and notes it, both or neither. Returns its position. Throws NotAdded. */
async function addRow(orm: Orm, row: GroupedRow, datasetId: string, output: string, now: Date): Promise<number> {
  const messages = [...toMessages(row), { role: 'assistant' as const, content: output }];
  const position = await addDatapoint(orm, datasetId, { messages }, now).catch((error: unknown) => {
    throw error instanceof HttpProblem ? new NotAdded(error.message) : error;
  });
  await orm
    .update(traces)
    .set({ dataset_id: datasetId, row_position: position, processing: 'none', reason: null })
    .where(eq(traces.id, row.id));
  return position;
}

const RULES =
  'You correct answers of another model, so that it can learn from them. You get what it was asked, its answer and what a ' +
  'reader found wrong. Write the answer that it should have given, in the same form and language, and nothing else: no ' +
  'introduction, no comment, no quotation marks.';

/** What a model is asked for a better answer. */
export function toCorrection(
  row: Pick<GroupedRow, 'messages' | 'input' | 'output' | 'score' | 'feedback'>,
): ChatMessage[] {
  const asked = toMessages(row)
    .map(({ role, content }) => `[${role}]\n${typeof content === 'string' ? content : JSON.stringify(content ?? '')}`)
    .join('\n\n');
  const found = row.feedback ?? 'Nothing was written down, only that the answer is not good.';
  const content =
    `What was asked:\n${asked}\n\nThe answer, which a reader gave ${row.score ?? 0} of 1:\n${row.output}\n\n` +
    `What the reader found:\n${found}\n\nThe better answer:`;
  return [
    { role: 'system', content: RULES },
    { role: 'user', content },
  ];
}

interface Correction {
  readonly row: GroupedRow;
  readonly lease: NonNullable<Awaited<ReturnType<Leases['take']>>>;
}

async function fail(orm: Orm, id: string, reason: string): Promise<void> {
  await orm
    .update(traces)
    .set({ processing: 'failed', reason, attempts: 0 })
    .where(and(eq(traces.id, id), eq(traces.processing, 'processing')));
}

/** The next one, for this service alone; null: there is none. */
async function takeNext(orm: Orm, own: Leases): Promise<Correction | null> {
  for (;;) {
    const [next] = await orm
      .select({ id: traces.id, attempts: traces.attempts })
      .from(traces)
      .leftJoin(leases, own.isOf(traces.id))
      .where(and(eq(traces.processing, 'processing'), own.isFree()))
      .orderBy(asc(traces.position))
      .limit(1);
    if (!next) return null;
    const taken = await orm.transaction(async (transaction) => {
      const lease = await own.take(transaction, next.id);
      if (lease === null) return null;
      if (next.attempts < MAX_ATTEMPTS) {
        const begun = { attempts: next.attempts + 1 };
        await transaction.update(traces).set(begun).where(eq(traces.id, next.id));
        return { row: await findTrace(transaction, next.id), lease };
      }
      await fail(transaction, next.id, `The studio stopped in each of ${MAX_ATTEMPTS} attempts to correct the answer.`);
      await own.release(transaction, lease);
      return null;
    });
    if (taken) return taken;
  }
}

/** Begins with the corrections that earlier processes left. */
export async function openTraceRows(options: TraceRowsOptions): Promise<TraceRows> {
  const { database, now, findTeacher, ask, onWarning, leaseMs = LEASE_MS } = options;
  const { orm, guard } = database;
  const own = openLeases(database, 'correction', leaseMs);
  await own.endFormer();
  await own.removeOver();
  const closing = new AbortController();

  async function correct(row: GroupedRow): Promise<string> {
    const { corrector } = row.project_id === null ? { corrector: null } : await findSettings(orm, row.project_id);
    const model = corrector ?? (await findTeacher());
    if (model === null) throw new NotAdded(NO_TEACHER);
    return ask(model, toCorrection(row), AbortSignal.any([closing.signal, AbortSignal.timeout(CORRECTION_MS)]));
  }

  async function attempt({ row, lease }: Correction): Promise<void> {
    const held = own.hold(lease);
    const write = (work: (transaction: Orm) => Promise<unknown>): Promise<void> =>
      guard(
        () =>
          held.write(async (transaction) => {
            await work(transaction);
            await held.release(transaction);
          }),
        DATABASE_MS,
      );
    try {
      const output = await correct(row);
      await write(async (transaction) => {
        // It may have been deleted, or added by a person, meanwhile.
        const current = await findTrace(transaction, row.id, true);
        if (current.processing !== 'processing') return;
        await addRow(transaction, current, current.dataset_id ?? '', output, now());
      });
    } catch (error) {
      if (error instanceof LeaseLost) return;
      if (closing.signal.aborted)
        return await write((transaction) =>
          transaction
            .update(traces)
            .set({ attempts: row.attempts - 1 })
            .where(eq(traces.id, row.id)),
        );
      const isKnown = error instanceof NotAdded || error instanceof EngineError || error instanceof HttpProblem;
      const reason = isKnown ? error.message : 'The answer could not be corrected. Try again.';
      if (!isKnown) onWarning(`A trace could not be corrected: ${String(error)}`);
      await write((transaction) => fail(transaction, row.id, reason));
    } finally {
      held.stop();
    }
  }

  const loop = openWorkLoop({
    async work() {
      const next = await guard(() => takeNext(orm, own), DATABASE_MS);
      if (next === null) return database.isShared ? POLL_MS : ALONE_POLL_MS;
      await attempt(next);
      return 0;
    },
    onFailure: (reason) => onWarning(`A correction could not be recorded: ${reason}`),
  });

  /** Throws NotAdded. */
  async function begin(transaction: Orm, row: GroupedRow, given: string | null): Promise<Omit<TraceAdded, 'traceId'>> {
    const added = (at: number, id: string) =>
      ({ status: 'added', success: true, datapointId: toRowId(id, at), reason: null }) as const;
    if (row.score === null)
      throw new NotAdded(`The trace has no score. Give it one: from ${GOOD_SCORE} on its answer is taken as it is.`);
    const target = await findTarget(transaction, row, given);
    if (row.row_position !== null && row.dataset_id === target) return added(row.row_position, target);
    if (toBand(row.score) === 'good') return added(await addRow(transaction, row, target, row.output, now()), target);
    const { corrector } =
      row.project_id === null ? { corrector: null } : await findSettings(transaction, row.project_id);
    if (corrector === null && (await findTeacher()) === null) throw new NotAdded(NO_TEACHER);
    const [waiting] = await transaction
      .select({ count: sql<number>`count(*)::integer` })
      .from(traces)
      .where(eq(traces.processing, 'processing'));
    if (row.processing !== 'processing' && (waiting?.count ?? 0) >= TRACE_LIMITS.waiting)
      throw new NotAdded(
        `${TRACE_LIMITS.waiting} traces wait for a correction already. Try again when some have ended.`,
      );
    await transaction
      .update(traces)
      .set({ processing: 'processing', reason: null, attempts: 0, dataset_id: target, row_position: null })
      .where(eq(traces.id, row.id));
    return { status: 'queued', success: true, datapointId: null, reason: null };
  }

  return {
    async add(traceId, datasetId) {
      const outcome = await guard(() =>
        orm.transaction(async (transaction) => {
          const row = await findTrace(transaction, traceId, true);
          return begin(transaction, row, datasetId?.toLowerCase() ?? null);
        }),
      ).catch((error: unknown) => {
        if (!(error instanceof NotAdded)) throw error;
        return { status: 'failed', success: false, datapointId: null, reason: error.message } as const;
      });
      if (outcome.status === 'failed')
        await guard(() => orm.update(traces).set({ reason: outcome.reason }).where(eq(traces.id, traceId)));
      if (outcome.status === 'queued') loop.wake();
      return { traceId, ...outcome };
    },
    async close() {
      closing.abort();
      await loop.close();
    },
  };
}

const NO_TEACHER =
  'The score is weak, and no model is there that could correct the answer. Connect one with --engine or --model, name one in ' +
  'the settings of the traces, or write a better answer yourself.';
