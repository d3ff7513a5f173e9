// How far an upload is, how quick, and how long it will still take. Pure.
import { formatBytes } from '#core/contract/numberNotation.ts';
import type { Dataset } from '#features/datasets/shared/contract/datasets.ts';
import { formatCount, formatCounted, formatDuration } from '#ui/kit/format.ts';

type RowProgress = NonNullable<Dataset['progress']>;

export interface Sample {
  /** Unix milliseconds. */
  readonly at: number;
  /** Bytes that were sent by then. */
  readonly bytes: number;
}

/** A rate over a shorter time jumps, over a longer one it is late. */
const WINDOW_MS = 5000;

/** The samples of the last seconds, and one before them. */
export function addSample(samples: readonly Sample[], next: Sample): readonly Sample[] {
  const recent = samples.findIndex(({ at }) => at > next.at - WINDOW_MS);
  const kept = recent < 0 ? samples.slice(-1) : samples.slice(Math.max(0, recent - 1));
  return [...kept, next];
}

/** Bytes a second; null: not known yet. */
export function toRate(samples: readonly Sample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.at - first.at < 250) return null;
  return ((last.bytes - first.bytes) * 1000) / (last.at - first.at);
}

/** "120,500 rows · 41,000 rows/s": those that the service has stored, and how many a second since it began. */
export function toRowsText({ rows, rows_per_second }: Pick<RowProgress, 'rows' | 'rows_per_second'>): string {
  const count = formatCounted(rows, 'row');
  return rows === 0 ? `${count} yet` : `${count} · ${formatCount(Math.round(rows_per_second))} rows/s`;
}

/** "1.2 GB of 4.0 GB · 52 MB/s · 54 s left". */
export function toProgressText(samples: readonly Sample[], total: number): string {
  const bytes = samples.at(-1)?.bytes ?? 0;
  const rate = toRate(samples);
  const parts = [`${formatBytes(bytes)} of ${formatBytes(total)}`];
  if (rate !== null && bytes < total) {
    parts.push(`${formatBytes(rate)}/s`);
    if (rate > 0) parts.push(`${formatDuration(Math.max(1000, ((total - bytes) * 1000) / rate))} left`);
  }
  return parts.join(' · ');
}
