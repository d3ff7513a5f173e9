// Rows as a base model sees them: one row, and whether a training of a snapshot would train anything.
import type { RowView } from '#features/datasets/shared/contract/rowView.ts';
import { NO_TRAINED_ROWS, reduceTrained, toNothingTrained } from '#features/datasets/shared/modelView/trainedRows.ts';
import type { Database } from '#service/database/database.ts';
import { readFrame, readSnapshotPage } from '#features/datasets/server/rows/snapshotFrame.ts';
import { ViewFailure, type RowViews } from '#features/datasets/server/modelView/modelViews.ts';
import { DataProblem } from './dataProblem.ts';

/** Rows that are rendered at a time: most trainings are known to train something after the first of them. */
const FIRST_PAGE = 32;
const PAGE = 512;

const CODES = { 'no-file': 'model_not_found', damaged: 'bad_model_file', 'too-much': 'template_error' } as const;

/** A failure to see rows as a request's fault; any other error as it is. */
function toProblem(error: unknown): unknown {
  if (!(error instanceof ViewFailure)) return error;
  const { kind, message } = error;
  return new DataProblem(kind === 'no-file' ? 404 : 400, message, { param: 'model', code: CODES[kind] });
}

/** Throws DataProblem. */
export async function viewText(views: RowViews, model: string, row: string, context: number | null): Promise<RowView> {
  try {
    return await views.view(model, row, context);
  } catch (error) {
    throw toProblem(error);
  }
}

/** Throws DataProblem 404 for a model that has no file here. */
export async function checkModel(views: Pick<RowViews, 'check'>, model: string): Promise<void> {
  try {
    await views.check(model);
  } catch (error) {
    throw toProblem(error);
  }
}

/**
 * Why a training of this model on this snapshot would train nothing, as sentences; null: it trains something, or the studio
 * has no file of the model. Reads until it finds a row of which something is trained. Only the readings are limited in
 * time: rendering takes seconds where no row is trained, and says nothing of the database.
 */
export async function findNothingTrained(
  { orm, guard }: Pick<Database, 'orm' | 'guard'>,
  views: RowViews,
  snapshotId: string,
  model: string,
): Promise<string | null> {
  const frame = await guard(() => readFrame(orm, snapshotId));
  if (!frame) return null;
  if (!(await views.knows(model))) return null;
  let sum = NO_TRAINED_ROWS;
  for (let from = 0, size = FIRST_PAGE; from < frame.rows_end; size = PAGE) {
    const range = { from, end: from + size };
    const { rows, next } = await guard(() => readSnapshotPage(orm, frame, range, 'training'));
    from = next;
    if (rows.length === 0) continue;
    try {
      const counted = await views.count(
        model,
        rows.map(({ body }) => body),
        null,
      );
      for (const row of counted.rows) sum = reduceTrained(sum, row, row);
    } catch (error) {
      if (!(error instanceof ViewFailure)) throw error;
      // A damaged file is the trainer's to refuse.
      return error.kind === 'too-much' ? `The rows can't be rendered for this model. ${error.message}` : null;
    }
    if (sum.trained > 0) return null;
  }
  return toNothingTrained(sum);
}
