// The scores of a run, from the database.
import { isPairJudge } from '#features/evaluation/shared/wireChecks.ts';
import type { Scores } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import type { Orm } from '#service/database/database.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';
import { readTagColumns } from './rowSets.ts';
import { countingOf, readWholeRun } from './runRecords.ts';
import { toScores } from './scores.ts';
import { readVerdictTable } from './verdictTable.ts';

/** Scores that are kept, the last that were read: they take a while, and pages ask again and again. */
const MAX_KEPT = 8;
const kept = new Map<string, Scores>();

/** `baseline`: null is that of the run. Throws HttpProblem 400, 404. */
export async function readScores(orm: Orm, id: string, baseline: string | null): Promise<Scores> {
  const { run, models, checks, content } = await readWholeRun(orm, id);
  if (baseline !== null && !models.some(({ model }) => model === baseline))
    throw new HttpProblem(400, `The baseline "${baseline}" is no model of this run. Choose one of its models.`, {
      param: 'baseline',
    });
  const counting = countingOf(checks);
  const table = await readVerdictTable(orm, run, counting);
  const compared = { ...run, baseline: baseline ?? run.baseline };
  const key = JSON.stringify([id, compared.baseline, run.checks_version, table.stamp]);
  const known = kept.get(key);
  const rating = checks.filter((check) => !isPairJudge(check));
  const scores =
    known ??
    toScores({ run: compared, models, checks: rating, counting }, table, await readTagColumns(orm, content.row_set_id));
  kept.delete(key);
  kept.set(key, scores);
  for (const oldest of [...kept.keys()].slice(0, -MAX_KEPT)) kept.delete(oldest);
  return scores;
}
