// `GET /metrics`: figures of this process and of the studio behind it, for Prometheus. It needs the token, unless the
// operator opened it with --metrics.
import type { CheckResult, Readiness } from '#app/server/backend.ts';
import type { Route } from '#service/http/route.ts';
import { ACCESS } from '#features/access/shared/accessEndpoints.ts';
import { toCounter, toGauge, toPrometheus, type Metric } from './metrics.ts';
import type { RequestCounts } from './requestCounts.ts';

export interface MetricsOptions {
  readonly version: string;
  /** Anybody may read them, without a token. */
  readonly isOpen: boolean;
  readonly requests: RequestCounts;
  readonly streams: { readonly count: number };
  readonly readiness: () => Promise<Readiness>;
  /** What the backend adds: its queue, its jobs. When it throws, the rest is answered without it. */
  readonly readBackend?: () => Promise<readonly Metric[]>;
}

/** 1 or 0 for a part that this mode has and whose state is known. */
const toUp = (part: string, result: CheckResult): Metric['samples'] =>
  result === 'ok' || result === 'failed' ? [{ labels: { part }, value: result === 'ok' ? 1 : 0 }] : [];

function ofProcess(): readonly Metric[] {
  const { user, system } = process.cpuUsage();
  return [
    toGauge('process_resident_memory_bytes', 'Memory of this process.', process.memoryUsage.rss()),
    toCounter('process_cpu_seconds_total', 'Processor time of this process.', [{ value: (user + system) / 1e6 }]),
    toGauge('process_uptime_seconds', 'Seconds since this process started.', process.uptime()),
  ];
}

export function toMetricsRoute(options: MetricsOptions): Route {
  const { version, isOpen, requests, streams, readiness, readBackend } = options;
  return {
    method: 'GET',
    path: ACCESS.getMetrics.path,
    isOpen,
    async handle() {
      const [checks, ofBackend] = await Promise.all([readiness(), readBackend?.().catch(() => []) ?? []]);
      const metrics: readonly Metric[] = [
        toGauge('info', 'The version that runs.', [{ labels: { version }, value: 1 }]),
        toGauge('up', 'Whether a part answers now.', [
          ...toUp('database', checks.database),
          ...toUp('engine', checks.engine),
        ]),
        toGauge('open_streams', 'Answers that are being generated or passed on now.', streams.count),
        ...requests.toMetrics(),
        ...ofBackend,
        ...ofProcess(),
      ];
      const headers = { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8', 'Cache-Control': 'no-store' };
      return new Response(toPrometheus(metrics), { headers });
    },
  };
}
