// The jobs of a snapshot, and the code that reads their runs.
import { useQueries } from '@tanstack/react-query';
import { jobQuery } from '#ui/client/queries.ts';
import type { ReadJob } from '#core/contract/jobReader.ts';
import type { TreeNode } from '#core/contract/projectReader.ts';

/** Each job is a request. */
const MAX_JOBS = 20;

const toJobs = (results: readonly { readonly data: ReadJob | null | undefined }[]): readonly ReadJob[] =>
  results.flatMap(({ data }) => (data ? [data] : []));

/** The answers of the snapshot's newest jobs, as they come. The list keeps its identity while nothing in it changes. */
export const useSnapshotJobs = (snapshot: TreeNode): readonly ReadJob[] =>
  useQueries({ queries: snapshot.children.slice(-MAX_JOBS).map(({ id }) => jobQuery(id)), combine: toJobs });
