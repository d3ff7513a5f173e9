// Who changed what in a studio: `GET /api/v1/studio/activity`, newest first.
// ASSUMED: not in SPEC. Only a local studio keeps a log of changes.
import { API_PREFIX } from '#shared/contract/routes.ts';

export const ACCESS_ROUTES = {
  activity: `${API_PREFIX}/studio/activity`,
  /** Figures for Prometheus, as text. */
  metrics: '/metrics',
} as const;

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
}

export interface ActivityPage {
  readonly entries: readonly ActivityEntry[];
  /** For the query `before` of the next page; null: this is the last. */
  readonly next: number | null;
}

export const ACTIVITY_LIMITS = { entries: 500, entriesDefault: 100 } as const;

/** The address of a page. `before`: only entries with a smaller id. */
export const activityPath = (limit: number, before: number | null): string =>
  `${ACCESS_ROUTES.activity}?limit=${limit}${before === null ? '' : `&before=${before}`}`;
