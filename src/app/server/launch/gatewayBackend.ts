// Gateway mode: no database, no engine; one upstream.
import type { Backend, BackendDeps } from '#app/server/backend.ts';
import type { GatewaySettings } from './settings.ts';
import { toGatewayRoutes } from '#app/server/gateway/gatewayRoutes.ts';
import { openRateMeaning } from '#app/server/gateway/remoteSession.ts';
import { openUpstream } from '#app/server/gateway/upstream.ts';

export function openGatewayBackend(settings: GatewaySettings, deps: BackendDeps): Backend {
  const upstream = openUpstream({ baseUrl: settings.baseUrl, apiKey: settings.apiKey, version: deps.version });
  const readRateMeaning = openRateMeaning(upstream);
  return {
    routes: toGatewayRoutes({ upstream, streams: deps.streams }),
    // Anybody may ask for this, so it must not cause requests to the remote studio.
    readiness: async () => ({ database: 'unused', engine: 'unknown' }),
    session: async () => ({
      mode: 'gateway',
      remote: upstream.origin,
      learning_rate_is_absolute: await readRateMeaning(),
    }),
    close: async () => upstream.close(),
  };
}
