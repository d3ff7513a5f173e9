// Changes in each project since the page opened, and the rows that highlight them now. Lives as long as the page. Plain
// data; diffTrees and activity decide what a change is.
import { create } from 'zustand';
import { NO_ACTIVITY, type Activity } from './activityState.ts';

/** A node that was removed from the tree while it was selected. */
export interface RemovedNode {
  readonly id: string;
  readonly label: string;
  readonly at: number;
  /** Its nearest remaining ancestor. */
  readonly nextId: string;
  readonly nextLabel: string;
}

export interface Touched {
  /** Increases, so that a row can tell a new change from the last one. */
  readonly number: number;
  readonly own: ReadonlySet<string>;
  readonly within: ReadonlySet<string>;
}

export interface ProjectActivity {
  readonly activity: Activity;
  readonly isOpen: boolean;
  readonly touched: Touched | null;
  readonly removedNode: RemovedNode | null;
}

const QUIET: ProjectActivity = { activity: NO_ACTIVITY, isOpen: false, touched: null, removedNode: null };

interface ActivityStore {
  /** By project. A Map, because a service may name a project `constructor`. */
  readonly projects: ReadonlyMap<string, ProjectActivity>;
}

const useStore = create<ActivityStore>(() => ({ projects: new Map() }));

export function readProjectActivity(projectId: string): ProjectActivity {
  return useStore.getState().projects.get(projectId) ?? QUIET;
}

export function useProjectActivity(projectId: string): ProjectActivity {
  return useStore(({ projects }) => projects.get(projectId) ?? QUIET);
}

export function changeProjectActivity(projectId: string, patch: Partial<ProjectActivity>): void {
  const next = { ...readProjectActivity(projectId), ...patch };
  useStore.setState(({ projects }) => ({ projects: new Map(projects).set(projectId, next) }));
}

/** Opens or closes the list. Its entries count as seen from then on. */
export function showActivity(projectId: string, isOpen: boolean): void {
  const { activity } = readProjectActivity(projectId);
  changeProjectActivity(projectId, { isOpen, activity: { ...activity, unseen: 0 } });
}
