// `GET /readyz`: whether database and engine answer now. Anybody may ask, so it gives no details, and all requests
// within a second share one check.
import { STUDIO } from '#core/contract/studioEndpoints.ts';
import { shareRecent } from '#engine/sharedRead.ts';
import { soon } from '#service/files/timeout.ts';
import type { CheckResult, Readiness } from './backend.ts';
import { toRoute } from '#service/http/endpointRoute.ts';
import { sendJson, type Route } from '#service/http/route.ts';

/** A load balancer's probe gives up after some seconds; a later answer is useless. */
const CHECK_MS = 2_000;
const SHARE_MS = 1_000;

/** The answer while the service starts. */
export const STARTING = { status: 'starting', checks: { database: 'unknown', engine: 'unknown' } } as const;

/** `failed` when it throws or takes longer than `ms`. */
export async function checkWithin(check: () => Promise<unknown>, ms = CHECK_MS): Promise<CheckResult> {
  const result = Promise.resolve()
    .then(check)
    .then(
      (): CheckResult => 'ok',
      (): CheckResult => 'failed',
    );
  return (await soon(result, ms)) ?? 'failed';
}

export function toReadyRoute(readiness: () => Promise<Readiness>, now: () => number = () => performance.now()): Route {
  const shared = shareRecent(readiness, SHARE_MS, now);
  return toRoute(STUDIO.getReadiness, async () => {
    const checks = await shared();
    const isReady = checks.database !== 'failed' && checks.engine !== 'failed';
    const body = { status: isReady ? 'ready' : 'not_ready', checks };
    return sendJson(body, isReady ? 200 : 503, { 'Cache-Control': 'no-store' });
  });
}
