// All roots, and the answers about their runs. Runs in a process (`runsEntry.ts`); tests run it as it is.
import type { ReadCompletions } from '#features/runs/server/completions/completionPage.ts';
import { findCompletions, openCompletionsReader } from '#features/runs/server/completions/readCompletions.ts';
import type { RootReader } from '#features/runs/server/disk/rootReader.ts';
import { RootRuns } from './rootRuns.ts';
import { toCurveList } from './runDetail.ts';
import type { FindProcess } from './runStatus.ts';
import { openRunIdsFile } from './runIdentity.ts';
import type { IdsMemory, OpenRoot, RunsCore } from './runsMessages.ts';

export interface CoreOptions {
  /** Begins to read a folder, and calls back when something changed. */
  readonly openReader: (path: string, onChange: () => void) => RootReader;
  readonly findProcess: FindProcess;
  readonly readCompletions?: ReadCompletions;
  readonly now?: () => number;
}

/** The first answer that is one. */
function first<Answer>(roots: readonly RootRuns[], ask: (runs: RootRuns) => Answer | null): Answer | null {
  for (const runs of roots) {
    const answer = ask(runs);
    if (answer !== null) return answer;
  }
  return null;
}

export function openRunsCore({
  openReader,
  findProcess,
  readCompletions = openCompletionsReader(),
  now = Date.now,
}: CoreOptions): RunsCore {
  const open = new Map<string, RootRuns>();
  let setting: Promise<void> = Promise.resolve();
  let reading: Promise<unknown> = Promise.resolve();

  function openRoot(root: OpenRoot, { folder, used }: IdsMemory): RootRuns {
    let runs: RootRuns | null = null;
    const file = folder === null ? null : openRunIdsFile(folder, root.id);
    const memory = { kept: file?.read() ?? [], used: new Set(used) };
    const reader = openReader(root.path, () => runs?.mark());
    runs = new RootRuns(root, reader, { now, findProcess, memory, keepIds: (kept) => file?.write(kept) ?? null });
    return runs;
  }

  async function applyRoots(roots: readonly OpenRoot[], memory: IdsMemory): Promise<void> {
    for (const [id, runs] of open) {
      if (roots.some((root) => root.id === id)) continue;
      open.delete(id);
      // Not waited for: a mount may hang.
      void runs.reader.close();
    }
    // In the order of the roots, which is that of the projects.
    const before = new Map(open);
    open.clear();
    for (const root of roots) {
      const known = before.get(root.id);
      if (known) known.group(root);
      open.set(root.id, known ?? openRoot(root, memory));
    }
  }

  /** The roots that were set last. Questions come while they are opened. */
  async function roots(): Promise<readonly RootRuns[]> {
    await setting;
    return [...open.values()];
  }

  return {
    setRoots(given, memory = { folder: null, used: [] }) {
      const set = setting.then(() => applyRoots(given, memory));
      setting = set.catch(() => undefined);
      return set;
    },
    listRoots: async () => (await roots()).map((runs) => runs.report()),
    async findProject(id, version) {
      const found = (await roots()).find(({ root }) => root.id === id)?.project();
      return found ? { version: found.version, project: found.version === version ? null : found.project } : null;
    },
    findJob: async (id) => first(await roots(), (runs) => runs.job(id)),
    findRun: async (id) => first(await roots(), (runs) => runs.run(id)),
    async findCurves(request) {
      const wanted = new Set(request.runs);
      const records = (await roots()).flatMap((runs) => runs.records().filter(({ id }) => wanted.has(id)));
      return toCurveList(records, request);
    },
    async findCompletions(id, question) {
      for (const runs of await roots()) {
        const record = runs.records().find((each) => each.id === id);
        if (!record) continue;
        // One after another: each may take much memory.
        const read = reading.then(() =>
          findCompletions(record.run.rowFiles, runs.reader, { question, readCompletions }),
        );
        reading = read.catch(() => undefined);
        return read;
      }
      return null;
    },
    findSnapshotRoot: async (id) => first(await roots(), (runs) => (runs.hasSnapshot(id) ? runs.root.path : null)),
    async listModels() {
      const taken = new Set<string>();
      const found = await Promise.all((await roots()).map((runs) => runs.models()));
      return found.flat().filter(({ id }) => {
        // Two roots may have runs of one label; the first keeps the name.
        const isFirst = !taken.has(id);
        taken.add(id);
        return isFirst;
      });
    },
    async look() {
      const all = await roots();
      await Promise.all(all.map((runs) => runs.reader.look()));
      for (const runs of all) runs.hurry();
    },
    async close() {
      await Promise.all((await roots()).map((runs) => runs.reader.close()));
      open.clear();
    },
  };
}
