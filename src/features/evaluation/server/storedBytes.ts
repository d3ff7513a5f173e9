// How much of rows and answers a studio keeps: a model that writes on for ever, or a script that adds evaluations, ends here.
import { sum } from 'drizzle-orm';
import { formatBytes } from '#core/contract/numberNotation.ts';
import type { Orm } from '#service/database/database.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';
import { rowSets, runModels } from './evaluationTables.ts';

/** Throws HttpProblem 507 where the rows and answers of all evaluations take more than `most` bytes. */
export async function checkStoredBytes(orm: Orm, most: number): Promise<void> {
  const [ofRows] = await orm.select({ bytes: sum(rowSets.bytes) }).from(rowSets);
  const [ofAnswers] = await orm.select({ bytes: sum(runModels.bytes) }).from(runModels);
  if (Number(ofRows?.bytes ?? 0) + Number(ofAnswers?.bytes ?? 0) <= most) return;
  throw new HttpProblem(
    507,
    `The evaluations of this studio have more than ${formatBytes(most)} of rows and answers, the most that it keeps. Delete runs or ` +
      'evaluations that nobody needs.',
    { code: 'evaluations_full' },
  );
}
