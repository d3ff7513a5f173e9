// Reads what the training rows of a snapshot say about how their model is asked: all rows of a small snapshot, and a
// sample over all positions of a large one.
import { isObject } from '#core/contract/readJson.ts';
import type { Orm } from '#service/database/database.ts';
import { toRowForm, type RowForm } from './exampleShape.ts';
import { BLOCK_ROWS } from '#features/datasets/server/rows/rowBlocks.ts';
import { readFrame, readSnapshotPage, type SnapshotRow } from '#features/datasets/server/rows/snapshotFrame.ts';

/** At most this many rows are read, so that the first question about a model doesn't wait long. */
const MOST = 25_000;
/** Characters of rows after which no more are read. */
const MOST_TEXT = 64 * 1024 * 1024;
/** Rows of a place in a sample. */
const PAGE = BLOCK_ROWS;

interface TrainingForms {
  readonly forms: readonly RowForm[];
  /** No training row was left out. */
  readonly isWhole: boolean;
}

function toForms(rows: readonly SnapshotRow[]): RowForm[] {
  return rows.flatMap(({ body }) => {
    const row: unknown = JSON.parse(body);
    return isObject(row) ? [toRowForm(row)] : [];
  });
}

/** `most`, `page`: rows in all and at a time. A sample takes one page from each of equal stretches of positions. */
export async function readTrainingForms(
  orm: Orm,
  { id, training_count }: { readonly id: string; readonly training_count: number },
  { most = MOST, page = PAGE } = {},
): Promise<TrainingForms> {
  const frame = await readFrame(orm, id);
  if (!frame) return { forms: [], isWhole: true };
  const isWhole = training_count <= most;
  const stretches = isWhole ? 1 : Math.max(1, Math.floor(most / page));
  const forms: RowForm[] = [];
  let length = 0;
  for (let index = 0; index < stretches; index += 1) {
    const end = Math.floor((frame.rows_end * (index + 1)) / stretches);
    const enough = isWhole ? Number.MAX_SAFE_INTEGER : forms.length + page;
    let from = Math.floor((frame.rows_end * index) / stretches);
    while (from < end && forms.length < enough) {
      if (length > MOST_TEXT) return { forms, isWhole: false };
      const range = { from, end: isWhole ? end : Math.min(from + page, end) };
      const { rows, next } = await readSnapshotPage(orm, frame, range, 'training');
      length += rows.reduce((sum, { body }) => sum + body.length, 0);
      forms.push(...toForms(rows).slice(0, enough - forms.length));
      from = next;
    }
  }
  return { forms, isWhole };
}
