// `GET /readyz`: whether what the service needs answers now. Anybody may ask, so it says no more than that, and a look
// is shared by all who ask within a second.
import { ROUTES } from '#shared/contract/routes.ts';
import { shareRecent } from '#server/engine/sharedRead.ts';
import type { CheckResult, Readiness } from './backend.ts';
import { sendJson, type Route } from './route.ts';

/** Probes of load balancers give up after some seconds; what has not answered by then is not of use. */
const CHECK_MS = 2_000;
const SHARE_MS = 1_000;

/** What is answered before there is anything to look at. */
export const STARTING = { status: 'starting', checks: { database: 'unknown', engine: 'unknown' } } as const;

/** `failed` when it throws or takes longer than `ms`. */
export async function checkWithin(look: () => Promise<unknown>, ms = CHECK_MS): Promise<CheckResult> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<CheckResult>((resolve) => {
    timer = setTimeout(() => resolve('failed'), ms);
  });
  const found = Promise.resolve()
    .then(look)
    .then(
      (): CheckResult => 'ok',
      (): CheckResult => 'failed',
    );
  return Promise.race([found, late]).finally(() => clearTimeout(timer));
}

export function toReadyRoute(look: () => Promise<Readiness>, now: () => number = () => performance.now()): Route {
  const shared = shareRecent(look, SHARE_MS, now);
  return {
    method: 'GET',
    path: ROUTES.ready,
    isOpen: true,
    async handle() {
      const checks = await shared();
      const isReady = checks.database !== 'failed' && checks.engine !== 'failed';
      const body = { status: isReady ? 'ready' : 'not_ready', checks };
      return sendJson(body, isReady ? 200 : 503, { 'Cache-Control': 'no-store' });
    },
  };
}
