// What changed in each project since the page was opened, and which rows say so now. It lives as long as the page.
// Plain data; what a change is, is decided in diffTrees and activity.
import { create } from 'zustand';
import { NO_ACTIVITY, type Activity } from './activityState.ts';

/** A node that was selected when it left the tree. */
export interface LostNode {
  readonly id: string;
  readonly label: string;
  readonly at: number;
  /** Its nearest ancestor that is still there. */
  readonly nextId: string;
  readonly nextLabel: string;
}

export interface Touched {
  /** Counts up, so that a row can tell a new change from the last. */
  readonly number: number;
  readonly own: ReadonlySet<string>;
  readonly within: ReadonlySet<string>;
}

export interface ProjectActivity {
  readonly activity: Activity;
  readonly isOpen: boolean;
  readonly touched: Touched | null;
  readonly lost: LostNode | null;
}

const QUIET: ProjectActivity = { activity: NO_ACTIVITY, isOpen: false, touched: null, lost: null };

interface ActivityStore {
  /** By project; a Map, as a service may call a project `constructor`. */
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

/** Opens or closes the list; what it holds counts as seen from then on. */
export function showActivity(projectId: string, isOpen: boolean): void {
  const { activity } = readProjectActivity(projectId);
  changeProjectActivity(projectId, { isOpen, activity: { ...activity, unseen: 0 } });
}
