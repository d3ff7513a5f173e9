import { useQuery } from '@tanstack/react-query';
import { knownRootsQuery } from '#features/runs/web/api/runRootsQuery.ts';

/** Whether a project is a folder of runs; undefined: not known yet. */
export function useIsFolder(project: string | null | undefined): boolean | undefined {
  const { data, isPending } = useQuery(knownRootsQuery());
  return isPending ? undefined : data?.some(({ id }) => id === project) === true;
}
