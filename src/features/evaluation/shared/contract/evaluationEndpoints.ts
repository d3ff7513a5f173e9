// The endpoints of evaluations and their runs.
import { defineEndpoints } from '#core/contract/endpoint.ts';
import { evaluationImportSchema, importFormSchema } from './evaluationImport.ts';
import { exportQuerySchema, preferencesQuerySchema } from './evaluationExport.ts';
import { EVALUATION_LIMITS } from './evaluationLimits.ts';
import {
  answerPageSchema,
  answerPlaceQuerySchema,
  answersQuerySchema,
  newRunSchema,
  runListSchema,
  runSchema,
  scoresQuerySchema,
  scoresSchema,
  wholeAnswerSchema,
} from './evaluationRuns.ts';
import {
  evaluationChangeSchema,
  evaluationListSchema,
  evaluationRowPageSchema,
  evaluationRowsQuerySchema,
  evaluationSchema,
  evaluationsQuerySchema,
  evaluatorListSchema,
  newEvaluationSchema,
  versionListSchema,
  versionQuerySchema,
} from './evaluations.ts';
import { positionSchema } from './evaluationRow.ts';

const SMALL_BYTES = 64 * 1024;
const RUN = '/api/v1/studio/evaluation-runs/{runId}';
const OF_RUN = { params: { runId: 'a run of an evaluation' } } as const;

export const EVALUATIONS = defineEndpoints(
  { tag: 'Evaluation', source: 'Not in SPEC: only a local studio keeps evaluations, and a gateway answers 404.' },
  {
    listEvaluators: {
      method: 'GET',
      path: '/api/v1/studio/evaluators',
      title: 'List the programs that may judge answers',
      about: 'The operator allows them with `--evaluator NAME=URL`.',
      answer: { EvaluatorList: evaluatorListSchema },
      says: 'Their names.',
    },
    listEvaluations: {
      method: 'GET',
      path: '/api/v1/studio/evaluations',
      title: 'List the evaluations of a project',
      query: evaluationsQuerySchema,
      answer: { EvaluationList: evaluationListSchema },
      says: 'The oldest first, without their rows.',
      isTagged: true,
      load: 'page',
    },
    createEvaluation: {
      method: 'POST',
      path: '/api/v1/studio/evaluations',
      title: 'Make an evaluation',
      about: 'Its rows are stored, so they stay as they are whatever becomes of their source.',
      body: { NewEvaluation: newEvaluationSchema },
      bodyBytes: EVALUATION_LIMITS.bodyBytes,
      answer: { Evaluation: evaluationSchema },
      status: 201,
      says: 'It is stored, and nothing was asked yet.',
      failures: [404, 409, 507],
    },
    importEvaluation: {
      method: 'POST',
      path: '/api/v1/studio/evaluations/import',
      title: 'Make an evaluation of a file of another tool',
      about:
        "A form (`multipart/form-data`). promptfoo's configuration and results, logs of Inspect, samples of lm-eval. Answers of " +
        'the file become a run that the checks of the evaluation judge; nothing is asked. What has no place here is in `problems`.',
      form: { EvaluationImportForm: importFormSchema },
      answer: { EvaluationImport: evaluationImportSchema },
      status: 201,
      says: 'It is stored.',
      failures: [404, 409, 429, 507],
    },
    getEvaluation: {
      method: 'GET',
      path: '/api/v1/studio/evaluations/{evaluationId}',
      title: 'An evaluation, or an earlier version of it',
      query: versionQuerySchema,
      answer: { Evaluation: evaluationSchema },
      says: 'Without its rows.',
      isTagged: true,
      load: 'page',
    },
    changeEvaluation: {
      method: 'PUT',
      path: '/api/v1/studio/evaluations/{evaluationId}',
      title: 'Change an evaluation',
      about:
        'Fields that are absent stay. Other rows, prompt, system message, checks or settings make a new version; runs keep the ' +
        'one that they were started with.',
      body: { EvaluationChange: evaluationChangeSchema },
      bodyBytes: EVALUATION_LIMITS.bodyBytes,
      answer: { Evaluation: evaluationSchema },
      says: 'As it is now.',
      failures: [404, 409, 507],
    },
    deleteEvaluation: {
      method: 'DELETE',
      path: '/api/v1/studio/evaluations/{evaluationId}',
      title: 'Delete an evaluation with its runs',
      about: 'Runs that go on are cancelled first. Nothing brings it back.',
      says: 'Deleted.',
      failures: [404],
    },
    listEvaluationVersions: {
      method: 'GET',
      path: '/api/v1/studio/evaluations/{evaluationId}/versions',
      title: 'List the versions of an evaluation',
      answer: { EvaluationVersions: versionListSchema },
      says: 'The newest first.',
      load: 'page',
    },
    listEvaluationRows: {
      method: 'GET',
      path: '/api/v1/studio/evaluations/{evaluationId}/rows',
      title: 'The rows of an evaluation',
      query: evaluationRowsQuerySchema,
      answer: { EvaluationRowPage: evaluationRowPageSchema },
      says: 'A page of them.',
      load: 'page',
    },
    startEvaluationRun: {
      method: 'POST',
      path: '/api/v1/studio/evaluations/{evaluationId}/runs',
      title: 'Ask models for the answers, and judge them',
      about: 'Runs go on one after another. Poll the run.',
      body: { NewEvaluationRun: newRunSchema },
      bodyBytes: SMALL_BYTES,
      answer: { EvaluationRun: runSchema },
      status: 201,
      says: 'It is queued.',
      failures: [404, 409, 429, 507],
    },
    listEvaluationRuns: {
      method: 'GET',
      path: '/api/v1/studio/evaluations/{evaluationId}/runs',
      title: 'List the runs of an evaluation',
      answer: { EvaluationRuns: runListSchema },
      says: 'The newest first.',
      isTagged: true,
      load: 'page',
    },
    getEvaluationRun: {
      method: 'GET',
      path: RUN,
      ...OF_RUN,
      title: 'How far a run of an evaluation is',
      answer: { EvaluationRun: runSchema },
      says: 'Its state, cost and pass rates.',
      isTagged: true,
      load: 'page',
    },
    cancelEvaluationRun: {
      method: 'POST',
      path: `${RUN}/cancel`,
      ...OF_RUN,
      title: 'Cancel a run of an evaluation',
      about: 'Its answers stay.',
      answer: { EvaluationRun: runSchema },
      says: 'It ends.',
      failures: [404, 409],
    },
    resumeEvaluationRun: {
      method: 'POST',
      path: `${RUN}/resume`,
      ...OF_RUN,
      title: 'Go on with a run of an evaluation',
      about: 'Of one that was cancelled or has failed, or has rows without an answer: those are asked again.',
      answer: { EvaluationRun: runSchema },
      says: 'It is queued.',
      failures: [404, 409, 429],
    },
    rescoreEvaluationRun: {
      method: 'POST',
      path: `${RUN}/rescore`,
      ...OF_RUN,
      title: 'Judge the answers of a run by the checks as they are now',
      about: 'No model is asked again. Checks that did not change keep their verdicts.',
      answer: { EvaluationRun: runSchema },
      says: 'It is queued.',
      failures: [404, 409, 429],
    },
    deleteEvaluationRun: {
      method: 'DELETE',
      path: RUN,
      ...OF_RUN,
      title: 'Delete a run of an evaluation with its answers',
      says: 'Deleted.',
      failures: [404],
    },
    getEvaluationScores: {
      method: 'GET',
      path: `${RUN}/scores`,
      ...OF_RUN,
      title: 'The scores of a run, by model, check and tag',
      query: scoresQuerySchema,
      answer: { EvaluationScores: scoresSchema },
      says: 'Of the answers that were judged so far.',
      isTagged: true,
      load: 'page',
    },
    exportEvaluationRun: {
      method: 'GET',
      path: `${RUN}/export`,
      ...OF_RUN,
      title: 'Download a run of an evaluation with all rows and answers',
      about:
        'As JSON lines, which the studio imports again: the evaluation and its scores, then each row. Or as one HTML file ' +
        'without scripts.',
      query: exportQuerySchema,
      file: 'application/x-ndjson',
      says: 'The file; `text/html` where that was asked for. `Content-Disposition` has a name for it.',
      load: 'file',
    },
    listPreferenceRows: {
      method: 'GET',
      path: `${RUN}/preferences`,
      ...OF_RUN,
      title: 'Download answers that passed and failed as rows for DPO or KTO',
      about:
        "In TRL's form, as `POST /api/v1/public/datasets/create-from-jsonl` takes them. Rows to which all models answered alike " +
        'give no pair.',
      query: preferencesQuerySchema,
      file: 'application/x-ndjson',
      says: 'The rows.',
      load: 'file',
    },
    listEvaluationAnswers: {
      method: 'GET',
      path: `${RUN}/answers`,
      ...OF_RUN,
      title: 'The rows of a run with the answers of all models',
      query: answersQuerySchema,
      answer: { EvaluationAnswerPage: answerPageSchema },
      says: 'A page of the rows.',
      load: 'page',
    },
    getEvaluationAnswer: {
      method: 'GET',
      path: `${RUN}/answers/{position}`,
      params: { ...OF_RUN.params, position: positionSchema },
      title: 'One answer with the request that was sent for it',
      query: answerPlaceQuerySchema,
      answer: { EvaluationAnswer: wholeAnswerSchema },
      says: 'The answer.',
      failures: [404],
      load: 'page',
    },
  },
);

declare module '#core/contract/endpoint.ts' {
  interface EndpointGroups {
    readonly evaluations: typeof EVALUATIONS;
  }
}
