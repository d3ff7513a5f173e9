// What stands behind the API: the local studio, or a remote one.
import type { SessionInfo } from '../contract/routes';
import type { OpenStreams } from './openStreams';
import type { Route } from './route';

export interface Backend {
  readonly routes: readonly Route[];
  readonly session: SessionInfo;
  close(): Promise<void>;
}

/** What every backend is given: running answers, time (Unix ms), randomness (base64url of n bytes), the operator's log. */
export interface BackendDeps {
  readonly streams: OpenStreams;
  readonly now: () => number;
  readonly random: (bytes: number) => string;
  readonly report: (line: string) => void;
  readonly version: string;
}
