// A token that is revoked is worth nothing from then on, also in requests that began before.
import type { RouteEnv } from '#service/http/route.ts';

/** How often the token of a request that goes on is looked up again. */
const LOOK_MS = 1_000;

/** Cuts the connection of a request once its token is not good any more. `isGood` may fail, and is asked again. */
export function cutWhenRevoked(
  { incoming, outgoing }: RouteEnv['Bindings'],
  isGood: () => Promise<boolean>,
  lookMs = LOOK_MS,
): void {
  let isAsked = false;
  const look = async (): Promise<void> => {
    if (isAsked) return;
    isAsked = true;
    const isStill = await isGood().catch(() => true);
    isAsked = false;
    // Most clients send all before they read an answer; the next request says why.
    if (!isStill) incoming.socket.destroy();
  };
  const timer = setInterval(() => void look(), lookMs);
  outgoing.setMaxListeners(outgoing.getMaxListeners() + 1).once('close', () => clearInterval(timer));
}
