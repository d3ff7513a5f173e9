// The ids of runs of folders that somebody still uses: with notes on them, or models served of them.
import { openServedList } from '#features/serving/server/servedList.ts';
import type { Studio } from '#features/projects/server/studio.ts';

/** Also ids of other nodes. Notes that can't be read now are left out. */
export async function listUsedRuns(
  studio: Pick<Studio, 'listNotes'>,
  dataDir: string,
  report: (line: string) => void,
): Promise<readonly string[]> {
  const [notes, served] = await Promise.all([studio.listNotes().catch(() => []), openServedList(dataDir, report)]);
  return [...notes.map(({ node_id }) => node_id), ...served.read().map(({ run_id }) => run_id)];
}
