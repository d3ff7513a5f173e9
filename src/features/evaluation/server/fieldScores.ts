// How often each field of JSON answers, or each argument of tool calls, is right. Judged anew from the answers, block by block.
import { isRule } from '#features/evaluation/shared/contract/evaluationChecks.ts';
import type { FieldScores } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import { openCheck } from '#features/evaluation/shared/checks.ts';
import type { CheckPart } from '#features/evaluation/shared/checkPart.ts';
import type { CheckResult } from '#features/evaluation/shared/checkResult.ts';
import { openFieldTallies } from '#features/evaluation/shared/fieldTallies.ts';
import { toCheckSpec } from '#features/evaluation/shared/wireChecks.ts';
import type { Orm } from '#service/database/database.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';
import { readAnswersOf, readCalls } from './answers.ts';
import { BLOCK_ROWS, readBlock } from './rowSets.ts';
import { readWholeRun } from './runRecords.ts';

const refuse = (param: string, message: string): HttpProblem => new HttpProblem(400, message, { param });

/** An answer that the check can't judge, such as a value nested too deep, has none. */
function toParts(judge: () => CheckResult): readonly CheckPart[] {
  try {
    return judge().parts ?? [];
  } catch {
    return [];
  }
}

/** Throws HttpProblem 400, 404. */
export async function readFieldScores(
  orm: Orm,
  runId: string,
  { model, scorer }: { readonly model: string; readonly scorer: string },
): Promise<FieldScores> {
  const { run, models, content, checks } = await readWholeRun(orm, runId);
  const own = models.find((each) => each.model === model);
  if (!own) throw refuse('model', `The run did not ask the model "${model}". Choose one of its models.`);
  const found = checks.find(({ id }) => id === scorer);
  if (!found || !isRule(found) || (found.kind !== 'json-fields' && found.kind !== 'tool-arguments'))
    throw refuse(
      'scorer',
      `"${scorer}" does not judge by field. Choose a check of JSON by field or tool calls by argument.`,
    );
  const check = openCheck(toCheckSpec(found));
  const tallies = openFieldTallies(run.row_count);
  for (let first = 0; first < run.row_count; first += BLOCK_ROWS) {
    const rows = new Map((await readBlock(orm, content.row_set_id, first)).map((row) => [row.position, row]));
    for (const { position, error, text, calls } of await readAnswersOf(
      orm,
      runId,
      own.place,
      first,
      first + BLOCK_ROWS,
    )) {
      if (error === null)
        tallies.add(
          position,
          toParts(() => check(text, rows.get(position)?.expected ?? null, readCalls(calls))),
        );
    }
  }
  const { fields, leftOut } = tallies.read();
  return {
    fields_left_out: leftOut,
    fields: fields.map(({ name, passed, total, estimate, confusion }) => ({
      name,
      passed,
      total,
      rate: estimate.value,
      low: estimate.low ?? 0,
      high: estimate.high ?? 1,
      confusion: confusion && {
        values: [...confusion.values],
        counts: confusion.counts.map((line) => [...line]),
      },
    })),
  };
}
