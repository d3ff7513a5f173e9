// Chats that this studio answers, kept as traces where their project wants it.
import { and, eq, or, sql } from 'drizzle-orm';
import type { ChatMessage } from '#core/contract/chatMessage.ts';
import { isUuid } from '#core/contract/uuid.ts';
import { TRACE_LIMITS } from '#features/traces/shared/traceLimits.ts';
import type { Database, Orm } from '#service/database/database.ts';
import { datasets, experiments, jobs, models, notDeleted, projects, snapshots } from '#service/database/tables.ts';
import type { StoredTrace } from './traceStore.ts';
import { traceSettings } from './traceTables.ts';

/** How long it is remembered which projects keep chats: each chat asks. */
const FRESH_MS = 2_000;

/** Keeps an answer, in the background. */
type KeepAnswer = (messages: readonly ChatMessage[], output: string) => void;

export interface KeptChats {
  /**
   * What keeps the answer to a chat; null: nobody wants it. `projectId`: what the request names, which counts before the
   * project in which the model was trained. Never throws.
   */
  find(model: string, projectId: string | null): Promise<KeepAnswer | null>;
}

/** The project in which a model was trained; null: none here. */
async function findProject(orm: Orm, model: string): Promise<string | null> {
  const [found] = await orm
    .select({ id: datasets.project_id })
    .from(models)
    .innerJoin(experiments, eq(experiments.id, models.experiment_id))
    .innerJoin(jobs, eq(jobs.id, experiments.job_id))
    .innerJoin(snapshots, eq(snapshots.id, jobs.snapshot_id))
    .innerJoin(datasets, eq(datasets.id, snapshots.dataset_id))
    .innerJoin(projects, eq(projects.id, datasets.project_id))
    .where(and(or(eq(models.id, model), sql`${models.aliases} ? ${model}`), notDeleted(projects)))
    .limit(1);
  return found?.id ?? null;
}

const textOf = ({ content }: ChatMessage): string =>
  typeof content === 'string' ? content : JSON.stringify(content ?? '');

/** The last message is the input; the conversation is kept where it is more than that. null: it is too large to be kept. */
export function toKeptTrace(
  messages: readonly ChatMessage[],
  output: string,
  of: { readonly modelId: string; readonly projectId: string },
): StoredTrace | null {
  const last = messages.findLast(({ role }) => role === 'user') ?? messages.at(-1);
  const isAll = messages.length === 1 && last?.role === 'user' && typeof last.content === 'string';
  const input = last ? textOf(last) : '';
  const texts = isAll ? [input, output] : [input, output, JSON.stringify(messages)];
  if (texts.some(({ length }) => length > TRACE_LIMITS.text)) return null;
  return { ...of, input, output, score: null, feedback: null, messages: isAll ? null : messages };
}

export interface KeptChatsOptions {
  readonly database: Pick<Database, 'orm' | 'guard'>;
  readonly add: (trace: StoredTrace) => Promise<unknown>;
  /** Counts a chat that is too large to be kept. */
  readonly leaveOut: (projectId: string) => Promise<unknown>;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** Chats are answered also where they can't be kept. */
  readonly onFailure: (error: unknown) => void;
}

export function openKeptChats({
  database: { orm, guard },
  add,
  leaveOut,
  clock,
  onFailure,
}: KeptChatsOptions): KeptChats {
  let keeping: Promise<ReadonlySet<string>> = Promise.resolve(new Set());
  let readAt = -Infinity;
  const readKeeping = (): Promise<ReadonlySet<string>> => {
    if (clock() - readAt < FRESH_MS) return keeping;
    readAt = clock();
    keeping = guard(async () => {
      const rows = await orm
        .select({ id: traceSettings.project_id })
        .from(traceSettings)
        .where(eq(traceSettings.keeps_chats, true));
      return new Set(rows.map(({ id }) => id));
    }).catch(() => new Set());
    return keeping;
  };
  return {
    async find(model, named) {
      const wanting = await readKeeping();
      if (wanting.size === 0) return null;
      const projectId =
        named !== null && isUuid(named)
          ? named.toLowerCase()
          : await guard(() => findProject(orm, model)).catch(() => null);
      if (projectId === null || !wanting.has(projectId)) return null;
      return (messages, output) => {
        const trace = toKeptTrace(messages, output, { modelId: model, projectId });
        void (trace === null ? leaveOut(projectId) : add(trace)).catch(onFailure);
      };
    },
  };
}
