// The routes of what people judge.
import { EVALUATIONS } from '#features/evaluation/shared/contract/evaluationEndpoints.ts';
import type { Database } from '#service/database/database.ts';
import { toRoute } from '#service/http/endpointRoute.ts';
import { whoOf, type Route } from '#service/http/route.ts';
import { readQueue, removeJudgement, storeJudgement } from './judgementQueue.ts';
import { readResults } from './judgementResults.ts';
import { readJudgementRows } from './judgementRows.ts';

const JUDGEMENT_BYTES = 1024 * 1024;
const READ_MS = 20_000;

export function toJudgementRoutes(
  database: Pick<Database, 'orm' | 'guard' | 'checkRoom'>,
  now: () => Date,
): readonly Route[] {
  const { orm, guard } = database;
  return [
    toRoute(EVALUATIONS.getJudgementQueue, ({ params: { runId }, query, context }) =>
      guard(() => readQueue(orm, runId, whoOf(context), query), READ_MS),
    ),
    toRoute(EVALUATIONS.judgeItem, ({ params: { runId, item }, body, context }) => {
      database.checkRoom?.(JUDGEMENT_BYTES);
      return guard(() => storeJudgement(orm, runId, item, body, { who: whoOf(context), now: now() }), READ_MS);
    }),
    toRoute(EVALUATIONS.deleteJudgement, ({ params: { runId, item }, context }) =>
      guard(() => removeJudgement(orm, runId, item, whoOf(context)), READ_MS),
    ),
    toRoute(EVALUATIONS.getJudgementResults, ({ params: { runId } }) => guard(() => readResults(orm, runId), READ_MS)),
    toRoute(EVALUATIONS.getJudgementRows, async ({ params: { runId }, query: { form } }) => {
      const rows = await guard(() => readJudgementRows(orm, runId, form), READ_MS);
      return new Response(rows.map((row) => `${row}\n`).join(''), {
        headers: {
          'Content-Type': 'application/x-ndjson; charset=utf-8',
          'Content-Disposition': `attachment; filename="${form}-${runId.slice(0, 8)}.jsonl"`,
          'Cache-Control': 'private, no-cache',
        },
      });
    }),
  ];
}
