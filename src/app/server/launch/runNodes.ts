// The nodes of folders with runs, which are in no database.
import type { Runs } from '#features/runs/server/runs.ts';

interface Node {
  readonly id: string;
  readonly children: readonly Node[];
}

function addIds(ids: Set<string>, { id, children }: Node): void {
  ids.add(id);
  for (const child of children) addIds(ids, child);
}

/** Throws RunsUnavailable. */
export async function listRunNodes(runs: Pick<Runs, 'listProjects' | 'findProject'>): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const { id } of await runs.listProjects()) addIds(ids, (await runs.findProject(id)) ?? { id, children: [] });
  return ids;
}
