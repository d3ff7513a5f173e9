// The routes of evaluations and their runs.
import { EVALUATION_LIMITS } from '#features/evaluation/shared/contract/evaluationLimits.ts';
import { EVALUATIONS } from '#features/evaluation/shared/contract/evaluationEndpoints.ts';
import type { Runs } from '#features/runs/server/runs.ts';
import type { Database } from '#service/database/database.ts';
import { toRoute } from '#service/http/endpointRoute.ts';
import { whoOf, type Route } from '#service/http/route.ts';
import { readAnswer, readAnswerPage } from './answerPages.ts';
import {
  changeEvaluation,
  createEvaluation,
  deleteEvaluation,
  listEvaluations,
  listVersions,
  readEvaluation,
} from './evaluations.ts';
import { readFieldScores } from './fieldScores.ts';
import { checkMayUseFunctions } from './functions/functionRunner.ts';
import { toExportRoutes } from './exporting/exportRoutes.ts';
import { toImportRoutes } from './importing/importRoute.ts';
import type { Evaluations } from './openEvaluations.ts';
import { toJudgementRoutes } from './judging/judgementRoutes.ts';
import { readRows } from './rowSets.ts';
import { listRuns } from './runRecords.ts';
import { readContent } from './versions.ts';

export interface EvaluationRouteDeps {
  readonly database: Pick<Database, 'orm' | 'guard' | 'checkRoom'>;
  readonly evaluations: Evaluations;
  /** Whose folders may hold evaluations. */
  readonly runs: Pick<Runs, 'listRoots'>;
}

/** Rows of a snapshot are read, and ten thousand of them are stored. */
const STORE_MS = 60_000;
const READ_MS = 20_000;

/** Throws HttpProblem 403 where a check is an own function and `who` is not the owner. */
const checkFunctions = (checks: readonly { readonly kind: string }[] | undefined, who: string | null): void => {
  if (checks?.some(({ kind }) => kind === 'function') === true) checkMayUseFunctions(who);
};

export function toEvaluationRoutes({ database, evaluations, runs }: EvaluationRouteDeps): readonly Route[] {
  const { orm, guard } = database;
  const store = <Value>(work: () => Promise<Value>): Promise<Value> => {
    database.checkRoom?.(EVALUATION_LIMITS.bodyBytes);
    return guard(work, STORE_MS);
  };
  const read = <Value>(work: () => Promise<Value>): Promise<Value> => guard(work, READ_MS);
  return [
    toRoute(EVALUATIONS.listEvaluators, () => evaluations.listEvaluators()),
    toRoute(EVALUATIONS.listEvaluations, async ({ query: { project_id, dataset_id } }) => ({
      evaluations: await read(() => listEvaluations(orm, project_id.toLowerCase(), dataset_id?.toLowerCase() ?? null)),
    })),
    toRoute(EVALUATIONS.createEvaluation, ({ body, context }) =>
      store(async () => {
        checkFunctions(body.checks, whoOf(context));
        const evaluation = await createEvaluation(evaluations.deps, body, whoOf(context));
        context.set('node', evaluation.dataset_id ?? evaluation.project_id);
        return evaluation;
      }),
    ),
    ...toImportRoutes(evaluations, runs, store),
    ...toExportRoutes({ orm, evaluations, read }),
    toRoute(EVALUATIONS.getEvaluation, ({ params: { evaluationId }, query: { version = null } }) =>
      read(() => readEvaluation(orm, evaluationId, version)),
    ),
    toRoute(EVALUATIONS.changeEvaluation, ({ params: { evaluationId }, body, context }) =>
      store(async () => {
        checkFunctions(body.checks, whoOf(context));
        const evaluation = await changeEvaluation(evaluations.deps, evaluationId, body, whoOf(context));
        context.set('node', evaluation.dataset_id ?? evaluation.project_id);
        return evaluation;
      }),
    ),
    toRoute(EVALUATIONS.deleteEvaluation, ({ params: { evaluationId } }) =>
      read(() => deleteEvaluation(orm, evaluationId)),
    ),
    toRoute(EVALUATIONS.listEvaluationVersions, ({ params: { evaluationId } }) =>
      read(() => listVersions(orm, evaluationId)),
    ),
    toRoute(EVALUATIONS.listEvaluationRows, ({ params: { evaluationId }, query }) =>
      read(async () => {
        const { offset = 0, limit = EVALUATION_LIMITS.pageDefault } = query;
        const { version, row_count } = await readEvaluation(orm, evaluationId, query.version ?? null);
        const { row_set_id } = await readContent(orm, evaluationId, version);
        return { version, total: row_count, rows: [...(await readRows(orm, row_set_id, offset, offset + limit))] };
      }),
    ),
    toRoute(EVALUATIONS.startEvaluationRun, ({ params: { evaluationId }, body, context }) =>
      store(() => evaluations.start(evaluationId, body, whoOf(context))),
    ),
    toRoute(EVALUATIONS.listEvaluationRuns, ({ params: { evaluationId } }) =>
      read(async () => {
        await readEvaluation(orm, evaluationId);
        return { runs: await listRuns(orm, evaluationId, evaluations.paceOf) };
      }),
    ),
    toRoute(EVALUATIONS.getEvaluationRun, ({ params: { runId } }) => read(() => evaluations.read(runId))),
    toRoute(EVALUATIONS.cancelEvaluationRun, ({ params: { runId } }) => read(() => evaluations.cancel(runId))),
    toRoute(EVALUATIONS.resumeEvaluationRun, ({ params: { runId } }) => store(() => evaluations.resume(runId))),
    toRoute(EVALUATIONS.rescoreEvaluationRun, ({ params: { runId } }) => store(() => evaluations.rescore(runId))),
    toRoute(EVALUATIONS.deleteEvaluationRun, ({ params: { runId } }) =>
      guard(() => evaluations.remove(runId), STORE_MS),
    ),
    toRoute(EVALUATIONS.getEvaluationScores, ({ params: { runId }, query: { baseline = null } }) =>
      read(() => evaluations.readScores(runId, baseline)),
    ),
    toRoute(EVALUATIONS.getEvaluationFields, ({ params: { runId }, query }) =>
      read(() => readFieldScores(orm, runId, query)),
    ),
    toRoute(EVALUATIONS.listEvaluationAnswers, ({ params: { runId }, query }) =>
      read(() => readAnswerPage(orm, runId, query)),
    ),
    toRoute(EVALUATIONS.getEvaluationAnswer, ({ params: { runId, position }, query: { model, repeat = 1 } }) =>
      read(() => readAnswer(orm, runId, position, { model, repeat })),
    ),
    ...toJudgementRoutes(database, evaluations.deps.now),
  ];
}
