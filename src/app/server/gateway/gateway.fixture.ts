// For tests: a gateway before a remote of the test's own, until the test ends.
import { createServer, type RequestListener } from 'node:http';
import { atEnd, keep, listen } from '#service/files/keep.fixture.ts';
import { openTestService, type TestOptions, type TestService } from '#service/http/testService.fixture.ts';
import { GATEWAY_TIMING, toGatewayRoutes, type GatewayTiming } from './gatewayRoutes.ts';
import { openUpstream, type Upstream } from './upstream.ts';

export function keepUpstream(url: string, apiKey = 'key'): Upstream {
  const upstream = openUpstream({ baseUrl: new URL(url), apiKey, version: '9.9' });
  atEnd(() => upstream.close());
  return upstream;
}

interface GatewayOptions extends Pick<TestOptions, 'limits'> {
  readonly apiKey?: string;
  readonly timing?: Partial<GatewayTiming>;
}

/** `remote`: its address, or what answers in its place. */
export async function keepGateway(
  remote: RequestListener | string,
  { apiKey, timing, ...options }: GatewayOptions = {},
): Promise<TestService> {
  const upstream = keepUpstream(typeof remote === 'string' ? remote : await listen(createServer(remote)), apiKey);
  return keep(
    openTestService({
      ...options,
      routes: (streams) => toGatewayRoutes({ upstream, streams, timing: { ...GATEWAY_TIMING, ...timing } }),
    }),
  );
}
