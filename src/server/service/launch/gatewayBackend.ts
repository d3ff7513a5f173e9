// Gateway mode: no database, no engine; one upstream.
import type { Backend, BackendDeps } from '#server/service/backend.ts';
import type { GatewaySettings } from './flags.ts';
import { toGatewayRoutes } from '#server/service/gateway/gatewayRoutes.ts';
import { openUpstream } from '#server/service/gateway/upstream.ts';

export function openGatewayBackend(settings: GatewaySettings, deps: BackendDeps): Backend {
  const upstream = openUpstream({ baseUrl: settings.baseUrl, apiKey: settings.apiKey, version: deps.version });
  return {
    routes: toGatewayRoutes({ upstream, streams: deps.streams }),
    // Anybody may ask: the remote studio must not hear of each time.
    readiness: async () => ({ database: 'unused', engine: 'unknown' }),
    session: { mode: 'gateway', remote: upstream.origin, learning_rate_is_absolute: false },
    close: async () => upstream.close(),
  };
}
