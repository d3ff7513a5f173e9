// Where the rows of an evaluation come from: they were sent, or are read of a snapshot or of a run of an evaluation.
import { eq } from 'drizzle-orm';
import { EVALUATION_LIMITS } from '#features/evaluation/shared/contract/evaluationLimits.ts';
import type { EvaluationRow } from '#features/evaluation/shared/contract/evaluationRow.ts';
import type { RowSource } from '#features/evaluation/shared/contract/evaluations.ts';
import { toHeldOutRows } from '#features/evaluation/shared/heldOutRows.ts';
import type { Studio } from '#features/projects/server/studio.ts';
import type { Orm } from '#service/database/database.ts';
import { snapshots } from '#service/database/tables.ts';
import { found, HttpProblem } from '#service/http/httpProblem.ts';
import { spreadOver } from '#features/evaluation/shared/spreadOver.ts';
import { fromPromptRow, toStoredRow } from './evaluationRows.ts';
import { readRowsAt } from './rowSets.ts';
import { countingOf, readWholeRun } from './runRecords.ts';
import { LETTERS } from './verdictBlocks.ts';
import { readVerdictTable } from './verdictTable.ts';

export interface SourceDeps {
  readonly orm: Orm;
  readonly findRows: Studio['findRows'];
}

interface SourceRows {
  readonly rows: readonly EvaluationRow[];
  /** Of a snapshot. */
  readonly datasetId: string | null;
}

const noRows = (message: string): HttpProblem => new HttpProblem(400, message, { param: 'source', code: 'no_rows' });

const MOST = EVALUATION_LIMITS.rows;
/** Lines of a snapshot that are looked at: they are spread over the rows. */
const MOST_LINES = 200_000;

async function readSnapshot(
  { orm, findRows }: SourceDeps,
  { snapshot_id: id, limit = MOST }: Extract<RowSource, { kind: 'snapshot' }>,
): Promise<SourceRows> {
  const [snapshot] = await orm.select({ dataset: snapshots.dataset_id }).from(snapshots).where(eq(snapshots.id, id));
  const held = found(await findRows(id, 'validation'), 'snapshot', id, 'source.snapshot_id');
  const lines: string[] = [];
  for await (const page of held.pages) {
    lines.push(...page);
    if (lines.length >= MOST_LINES) break;
  }
  const { rows, problems } = toHeldOutRows(spreadOver(lines, limit));
  const usable = rows.flatMap((row) => fromPromptRow(row) ?? []);
  if (usable.length === 0)
    throw noRows(
      `No validation row of the snapshot can be asked${problems[0] ? `: ${problems[0].message}` : '. Make a snapshot that holds rows out.'}`,
    );
  return { rows: usable, datasetId: snapshot?.dataset ?? null };
}

/** The rows that models failed, with their tags. */
async function readFailures(
  { orm }: SourceDeps,
  { run_id: id, model, limit = MOST }: Extract<RowSource, { kind: 'run' }>,
): Promise<SourceRows> {
  const { run, models: all, content, checks } = await readWholeRun(orm, id, 'source.run_id');
  const models = all.filter((each) => model === undefined || each.model === model);
  if (models.length === 0)
    throw new HttpProblem(400, `The run did not ask the model "${model}".`, { param: 'source.model', code: 'no_rows' });
  const table = await readVerdictTable(orm, run, countingOf(checks));
  const letters = models.map(({ place }) => table.overall(place));
  const failed = Array.from({ length: run.row_count }, (_, position) => position).filter((position) =>
    letters.some((own) => own.slice(position * run.repeats, (position + 1) * run.repeats).includes(LETTERS.fail)),
  );
  if (failed.length === 0) throw noRows('No row was failed in this run, so there is nothing to take.');
  const rows = await readRowsAt(orm, content.row_set_id, spreadOver(failed, limit));
  return { rows: rows.map(({ position: _position, ...row }) => row), datasetId: null };
}

/** The rows of a source, as they are stored. Throws HttpProblem 400, 404. */
export async function readSource(
  deps: SourceDeps,
  source: RowSource,
  sent: readonly EvaluationRow[] | undefined,
): Promise<SourceRows> {
  const isRead = source.kind === 'snapshot' || source.kind === 'run';
  if (isRead && sent !== undefined)
    throw new HttpProblem(400, `Leave out \`rows\`: the studio reads those of a ${source.kind} itself.`, {
      param: 'rows',
      code: 'invalid_request',
    });
  if (source.kind === 'snapshot') return readSnapshot(deps, source);
  if (source.kind === 'run') return readFailures(deps, source);
  if (sent === undefined)
    throw new HttpProblem(400, 'Send `rows`, or name a snapshot or a run in `source`.', {
      param: 'rows',
      code: 'no_rows',
    });
  return { rows: sent.map(toStoredRow), datasetId: null };
}
