// Counts requests by route and status. Routes come from the table, so callers can't make new labels.
import { toCounter, type Metric } from './metrics.ts';

export interface RequestCounts {
  /** `route`: its pattern. `seconds`: from the request to the end of the answer. */
  count(request: {
    readonly method: string;
    readonly route: string;
    /** `aborted`: the sender left before there was an answer. */
    readonly status: number | 'aborted';
    readonly seconds: number;
  }): void;
  toMetrics(): readonly Metric[];
}

interface Sum {
  readonly labels: Readonly<Record<string, string>>;
  count: number;
  seconds: number;
}

export function openRequestCounts(): RequestCounts {
  const sums = new Map<string, Sum>();
  return {
    count({ method, route, status, seconds }) {
      const key = `${method} ${status} ${route}`;
      const sum = sums.get(key) ?? { labels: { method, route, status: String(status) }, count: 0, seconds: 0 };
      sum.count += 1;
      sum.seconds += seconds;
      sums.set(key, sum);
    },
    toMetrics() {
      const all = [...sums.values()];
      return [
        toCounter(
          'requests_total',
          'Requests by route and status; aborted: their sender left before there was an answer.',
          all.map(({ labels, count }) => ({ labels, value: count })),
        ),
        toCounter(
          'request_seconds_total',
          'Seconds from requests to the ends of their answers.',
          all.map(({ labels, seconds }) => ({ labels, value: seconds })),
        ),
      ];
    },
  };
}
