// Figures of a local studio for `GET /metrics`: the queue of the engines, runs and recommendations by status, and what the
// database takes of the disk.
import { count, isNull } from 'drizzle-orm';
import type { Database } from '#service/database/database.ts';
import { readDatabaseSizes } from '#service/database/disk/databaseSizes.ts';
import { readFreeDisk } from '#service/database/disk/freeDisk.ts';
import { readReserve } from '#service/database/disk/reserve.ts';
import { experiments, recommendations } from '#service/database/tables.ts';
import { toGauge, type Metric } from './metrics.ts';

export interface StudioFigures {
  readonly database: Pick<Database, 'orm' | 'guard' | 'executeSql' | 'isShared'>;
  readonly dataDir: string;
  /** Requests that wait for their turn in the engines. */
  readonly waitingCount: () => number;
}

async function readDisk({
  database,
  dataDir,
}: Pick<StudioFigures, 'database' | 'dataDir'>): Promise<readonly Metric[]> {
  const { bytes, logBytes, unusedBytes } = await database.guard(() => readDatabaseSizes(database));
  return [
    toGauge('database_bytes', 'Disk space of the database, without its log.', bytes),
    toGauge('database_log_bytes', 'Disk space of the log of the embedded database.', logBytes),
    toGauge(
      'database_unused_bytes',
      'Space in the files of the database that removed rows have left: later rows use it, and a vacuum full would free it.',
      unusedBytes,
    ),
    toGauge(
      'disk_free_bytes',
      'Free space on the disk of the data folder.',
      await readFreeDisk(dataDir).catch(() => null),
    ),
    toGauge(
      'disk_reserve_bytes',
      'Space that is kept for the embedded database on a full disk; 0: it was given up, or there was no room for it yet.',
      database.isShared ? null : readReserve(dataDir),
    ),
  ];
}

/** Throws DatabaseUnavailable. */
export async function readStudioMetrics({
  database,
  dataDir,
  waitingCount,
}: StudioFigures): Promise<readonly Metric[]> {
  const { orm, guard } = database;
  const [runs, advice] = await guard(async () => [
    await orm
      .select({ status: experiments.status, value: count() })
      .from(experiments)
      .where(isNull(experiments.deleted_at))
      .groupBy(experiments.status),
    await orm
      .select({ status: recommendations.status, value: count() })
      .from(recommendations)
      .groupBy(recommendations.status),
  ]);
  const toSamples = (rows: readonly { readonly status: string; readonly value: number }[]): Metric['samples'] =>
    rows.map(({ status, value }) => ({ labels: { status }, value }));
  return [
    toGauge('queue_waiting', 'Requests that wait for their turn in the engines of this process.', waitingCount()),
    toGauge('runs', 'Runs by status, over all projects.', toSamples(runs ?? [])),
    toGauge('recommendations', 'Recommendations by status.', toSamples(advice ?? [])),
    ...(await readDisk({ database, dataDir })),
  ];
}
