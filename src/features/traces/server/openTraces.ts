// Opens the room of traces: the store, corrections in the background, and the removal of what is kept no longer.
import { eq } from 'drizzle-orm';
import type { TraceChange, TraceSettings } from '#features/traces/shared/traces.ts';
import { toReason } from '#service/database/database.ts';
import { isUnavailable } from '#service/database/unavailable.ts';
import { openKeptChats } from './keptChats.ts';
import { openPages } from './tracePages.ts';
import { openTraceRows, type TraceRowsOptions } from './traceRows.ts';
import {
  addTraces,
  changeTrace,
  checkProject,
  countLeftOut,
  countTraces,
  findSettings,
  findTrace,
  removeEmptyGroups,
  removeOld,
  removeStray,
  removeTraces,
  saveSettings,
  type StoredTrace,
} from './traceStore.ts';
import { toTrace, traces } from './traceTables.ts';

/** How often what is kept no longer is looked for, and how much of it is removed at a time. */
const SWEEP_MS = 60_000;
const SWEPT = 2_000;
const SWEEP_STATEMENT_MS = 20_000;

export type Traces = Awaited<ReturnType<typeof openTraces>>;

/** What it gives throws HttpProblem for what can't be done, and DatabaseUnavailable. */
export async function openTraces(options: TraceRowsOptions) {
  const { database, now, onWarning } = options;
  const { orm, guard } = database;
  const rows = await openTraceRows(options);
  const pages = openPages(database);
  const add = (added: readonly StoredTrace[]) => guard(() => addTraces(orm, added, now()));
  const kept = openKeptChats({
    database,
    add: (trace) => add([trace]),
    leaveOut: (projectId) => guard(() => countLeftOut(orm, projectId)),
    clock: () => performance.now(),
    onFailure(error) {
      if (!isUnavailable(error)) onWarning(`A chat could not be kept as a trace (${toReason(error)}).`);
    },
  });

  const closing = new AbortController();
  let sweeping: Promise<void> = Promise.resolve();
  async function sweep(): Promise<void> {
    for (const remove of [removeStray, removeOld, removeEmptyGroups])
      for (let removed = SWEPT; removed >= SWEPT && !closing.signal.aborted;)
        removed = await guard(() => remove(orm, SWEPT), SWEEP_STATEMENT_MS);
  }
  const begin = (): void => {
    sweeping = sweeping.then(sweep).catch((error: unknown) => {
      if (!isUnavailable(error) && !closing.signal.aborted)
        onWarning(`Old traces could not be removed (${toReason(error)}).`);
    });
  };
  begin();
  const timer = setInterval(begin, SWEEP_MS);
  timer.unref();

  return {
    list: pages.list,
    add,
    /** What keeps the answer of a model to a chat; null: no project wants it. */
    findKeeper: kept.find,
    async find(id: string) {
      const row = await guard(() => findTrace(orm, id));
      const messages = row.messages === null ? null : (JSON.parse(row.messages) as { role: string }[]);
      return { ...toTrace(row), conversationId: null, messages };
    },
    change: (id: string, change: TraceChange) => guard(() => changeTrace(orm, id, change)),
    remove: (id: string) =>
      guard(async () => {
        await findTrace(orm, id);
        await removeTraces(orm, eq(traces.id, id));
      }),
    count: (projectId: string | null) => guard(() => countTraces(orm, projectId)),
    addToDataset: rows.add,
    findSettings: (projectId: string) =>
      guard(async () => {
        await checkProject(orm, projectId);
        return findSettings(orm, projectId);
      }),
    saveSettings: (projectId: string, settings: TraceSettings) => guard(() => saveSettings(orm, projectId, settings)),
    async close(): Promise<void> {
      closing.abort();
      clearInterval(timer);
      await Promise.all([rows.close(), sweeping]);
    },
  };
}
