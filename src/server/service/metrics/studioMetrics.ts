// Figures of a local studio for `GET /metrics`: the queue of the engines, and runs and recommendations by status.
import { count, isNull } from 'drizzle-orm';
import type { Database } from '#server/studio/database.ts';
import { experiments, recommendations } from '#server/studio/tables.ts';
import type { Metric } from './metrics.ts';

export interface StudioFigures {
  readonly database: Pick<Database, 'orm' | 'guard'>;
  /** Requests that wait for their turn in the engines. */
  readonly waitingCount: () => number;
}

/** Throws DatabaseUnavailable. */
export async function readStudioMetrics({ database, waitingCount }: StudioFigures): Promise<readonly Metric[]> {
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
    {
      name: 'queue_waiting',
      type: 'gauge',
      help: 'Requests that wait for their turn in the engines of this process.',
      samples: [{ value: waitingCount() }],
    },
    { name: 'runs', type: 'gauge', help: 'Runs by status, over all projects.', samples: toSamples(runs ?? []) },
    {
      name: 'recommendations',
      type: 'gauge',
      help: 'Recommendations by status.',
      samples: toSamples(advice ?? []),
    },
  ];
}
