// The backend of the API: the local studio, or a remote one behind the gateway.
import type { StudioFacts } from '#core/contract/sessionInfo.ts';
import type { ActivityLog } from '#features/access/server/activityLog.ts';
import type { TokenStore } from '#features/access/server/tokens.ts';
import type { Metric } from '#app/server/metrics/metrics.ts';
import type { OpenStreams } from '#service/http/openStreams.ts';
import type { Route } from '#service/http/route.ts';

/** `unused`: this mode has none. `unknown`: it belongs to the remote studio, which is not asked. */
export type CheckResult = 'ok' | 'failed' | 'unused' | 'unknown';

/** Whether the parts that this service needs answer. No details, because anybody may ask. */
export interface Readiness {
  readonly database: CheckResult;
  readonly engine: CheckResult;
}

export interface Backend {
  readonly routes: readonly Route[];
  /** Named tokens in a place that other services share; missing: they are in the data folder. */
  readonly tokens?: TokenStore;
  /** The experiment of a run's own worker by the hash of its token; null: there is no such token. */
  readonly findRun?: (hash: string) => Promise<string | null>;
  /** That place, for people. */
  readonly tokenPlace?: string;
  /** Missing: this mode keeps none. */
  readonly activity?: Pick<ActivityLog, 'record'>;
  /** Its own figures for `GET /metrics`. Throws when the database is away. */
  readonly readMetrics?: () => Promise<readonly Metric[]>;
  /** Never throws; answers within a few seconds. */
  session(): Promise<StudioFacts>;
  /** Checks now. Never throws; answers within a few seconds, even if nothing else does. */
  readiness(): Promise<Readiness>;
  close(): Promise<void>;
}

/** Every backend needs: running answers, time (Unix ms), randomness (base64url of n bytes), the operator's log. */
export interface BackendDeps {
  readonly streams: OpenStreams;
  readonly now: () => number;
  readonly random: (bytes: number) => string;
  readonly report: (line: string) => void;
  readonly version: string;
  /** The address that people and nodes open, without a path. */
  readonly origin: string;
  /** Ends the process: nothing can be done any more. `reason`: for people. */
  readonly end: (reason: string) => void;
}
