// The project that a dataset is added to, as forms ask for it.
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { ProjectSummary } from '#core/contract/tree.ts';
import { runRootsQuery } from '#features/runs/web/api/runRootsQuery.ts';
import { useUrlState } from '#ui/address/urlState.ts';
import { projectsQuery } from '#ui/client/queries.ts';

/** Stands for a project that is made first. */
export const NEW_PROJECT = '';

export interface TargetProject {
  /** Those that there are: folders of runs are only read. */
  readonly projects: readonly ProjectSummary[];
  /** NEW_PROJECT: a new one. */
  readonly id: string;
  readonly setId: (id: string) => void;
  /** The name of a new one. */
  readonly newName: string;
  readonly setNewName: (name: string) => void;
}

/** At first the project on show, or else any. */
export function useTargetProject(suggestedName: string): TargetProject {
  const { data: all } = useQuery(projectsQuery());
  const { data: roots } = useQuery({ ...runRootsQuery(), refetchInterval: false });
  const opened = useUrlState().project;
  const [chosen, setId] = useState<string | null>(null);
  const [newName, setNewName] = useState(suggestedName);
  const projects = useMemo(
    () => (all ?? []).filter(({ id }) => !(roots ?? []).some((root) => root.id === id)),
    [all, roots],
  );
  const fallback = projects.find(({ id }) => id === opened)?.id ?? projects[0]?.id ?? NEW_PROJECT;
  return { projects, id: chosen ?? fallback, setId, newName, setNewName };
}
