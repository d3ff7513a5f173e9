// Reads what the training rows of a snapshot say about how their model is asked: all rows of a small snapshot, and a
// sample over all positions of a large one.
import { and, asc, eq, gte, lt } from 'drizzle-orm';
import { isObject } from '#shared/contract/reading.ts';
import type { Orm } from './database.ts';
import { toRowForm, type RowForm } from './exampleShape.ts';
import type { RowRange } from './snapshotRows.ts';
import { datasetRows } from './tables.ts';

/** At most this many rows are read, so that the first question about a model doesn't wait long. */
const MOST = 5_000;
/** Rows in memory at a time. A row may be as long as a conversation, so pages are small. */
const PAGE = 200;

interface TrainingForms {
  readonly forms: readonly RowForm[];
  /** No training row was left out. */
  readonly isWhole: boolean;
}

/** The training rows from a position up to another one, in stored order; at most `page` of them. */
function readPage(orm: Orm, datasetId: string, start: number, end: number, page: number) {
  return orm
    .select({ position: datasetRows.position, body: datasetRows.body })
    .from(datasetRows)
    .where(
      and(
        eq(datasetRows.dataset_id, datasetId),
        gte(datasetRows.position, start),
        lt(datasetRows.position, end),
        eq(datasetRows.bucket, 'training'),
      ),
    )
    .orderBy(asc(datasetRows.position))
    .limit(page);
}

/** `most`, `page`: rows in all and at a time. A sample takes one page from each of equal stretches of positions. */
export async function readTrainingForms(
  orm: Orm,
  { dataset_id, rows_end, training_count }: RowRange & { readonly training_count: number },
  { most = MOST, page = PAGE } = {},
): Promise<TrainingForms> {
  const isWhole = training_count <= most;
  const stretches = isWhole ? 1 : Math.max(1, Math.floor(most / page));
  const forms: RowForm[] = [];
  for (let index = 0; index < stretches; index += 1) {
    const end = Math.floor((rows_end * (index + 1)) / stretches);
    let start: number | null = Math.floor((rows_end * index) / stretches);
    while (start !== null) {
      const rows: { position: number; body: string }[] = await readPage(orm, dataset_id, start, end, page);
      for (const { body } of rows) {
        const row: unknown = JSON.parse(body);
        if (isObject(row)) forms.push(toRowForm(row));
      }
      const last = rows.at(-1);
      start = isWhole && last && rows.length === page ? last.position + 1 : null;
    }
  }
  return { forms, isWhole };
}
