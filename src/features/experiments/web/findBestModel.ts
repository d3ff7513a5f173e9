// The model of a project's best run, as its overview has it.
import type { QueryClient } from '@tanstack/react-query';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { fetchKept } from '#ui/client/fetchKept.ts';
import { jobQuery } from '#ui/client/queries.ts';
import { toDatasetResults } from './rows/datasetResults.ts';
import { toJobIds, toRows, toSources } from './rows/experimentRows.ts';

/** Each is a request. */
const MOST_JOBS = 20;

/**
 * Of the first dataset whose runs have a measure that decides: the model of the best of them. null: none has, its model
 * can't be tried, or the project has too many jobs to ask.
 */
export async function findBestModel(client: QueryClient, project: TreeNode): Promise<string | null> {
  const sources = toSources([project]);
  const ids = toJobIds(sources);
  if (ids.length > MOST_JOBS) return null;
  const answers = await Promise.all(
    ids.map(async (id) => [id, await fetchKept(client, jobQuery(id)).catch(() => null)] as const),
  );
  const results = toDatasetResults(toRows(sources, new Map(answers), new Set()));
  const best = results.find((result) => result.best !== null)?.best;
  return best && best.problem === null ? best.model_id : null;
}
