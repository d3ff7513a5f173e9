// What stands behind the API: the local studio, or a remote one.
import type { SessionInfo } from '#shared/contract/routes.ts';
import type { OpenStreams } from './openStreams.ts';
import type { Route } from './route.ts';

/** `unused`: this kind of studio has none. `unknown`: it stands elsewhere, and is not asked for a check. */
export type CheckResult = 'ok' | 'failed' | 'unused' | 'unknown';

/** What this service needs to answer. Nobody is told more than that: anybody may ask. */
export interface Readiness {
  readonly database: CheckResult;
  readonly engine: CheckResult;
}

export interface Backend {
  readonly routes: readonly Route[];
  /** Never throws; answers within a few seconds. */
  session(): Promise<SessionInfo>;
  /** Looks now. Never throws; answers within a few seconds, also when nothing else does. */
  readiness(): Promise<Readiness>;
  close(): Promise<void>;
}

/**
 * What every backend is given: running answers, time (Unix ms), randomness (base64url of n bytes), the operator's log.
 */
export interface BackendDeps {
  readonly streams: OpenStreams;
  readonly now: () => number;
  readonly random: (bytes: number) => string;
  readonly report: (line: string) => void;
  readonly version: string;
}
