// Who changed what in a studio: `GET /api/v1/studio/activity`, newest first.
// ASSUMED: not in SPEC. Only a local studio keeps a log of changes.
import { API_PREFIX } from '#core/contract/routes.ts';

export const ACCESS_ROUTES = {
  activity: `${API_PREFIX}/studio/activity`,
  /** Figures for Prometheus, as text. */
  metrics: '/metrics',
} as const;

export interface ActivityNode {
  readonly id: string;
  /** As in the tree. */
  readonly type: string;
  /** Its name as it is now. */
  readonly label: string;
  readonly project_id: string;
  /** It, or something above it, was deleted. */
  readonly is_deleted: boolean;
}

export interface ActivityEntry {
  /** Increases with time; where the next page begins. */
  readonly id: number;
  /** ISO 8601. */
  readonly at: string;
  /** The name of the token that was used; null: the studio's own, which is the owner's. */
  readonly who: string | null;
  readonly method: string;
  /** The route as the API's description has it: `/api/v1/public/projects/{projectId}`. */
  readonly route: string;
  /** The path that was asked for, with the ids, without its query. */
  readonly path: string;
  /** false: the database answered too late to say whether the change was made. */
  readonly is_certain?: boolean;
  /** What the change is about; null: it is about no node, or only about one that is gone for good or is in no project. */
  readonly node: ActivityNode | null;
}

export interface ActivityPage {
  readonly entries: readonly ActivityEntry[];
  /** For the query `before` of the next page; null: this is the last. */
  readonly next: number | null;
}

export const ACTIVITY_LIMITS = { entries: 500, entriesDefault: 100 } as const;

/** The last id in a path, in small letters; null: it has none. */
export function lastIdOf(path: string): string | null {
  const ids = path.match(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi);
  return ids?.at(-1)?.toLowerCase() ?? null;
}

/** The address of a page. `before`: only entries with a smaller id. */
export const activityPath = (limit: number, before: number | null): string =>
  `${ACCESS_ROUTES.activity}?limit=${limit}${before === null ? '' : `&before=${before}`}`;
