// Stores an imported evaluation, and its answers as a run that the studio's own checks judge.
import { newRunSchema, type EvaluationRun } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import { EVALUATION_LIMITS } from '#features/evaluation/shared/contract/evaluationLimits.ts';
import { newEvaluationSchema, type Evaluation } from '#features/evaluation/shared/contract/evaluations.ts';
import type { ImportedAnswer, ImportedEvaluation } from '#features/evaluation/shared/imports/importedEvaluation.ts';
import { toNewEvaluation } from '#features/evaluation/shared/imports/newEvaluation.ts';
import { storeAnswers, type NewAnswer } from '#features/evaluation/server/answers.ts';
import { createEvaluation, type EvaluationDeps } from '#features/evaluation/server/evaluations.ts';
import { checkStoredBytes } from '#features/evaluation/server/storedBytes.ts';
import { startRun } from '#features/evaluation/server/runs.ts';
import { toParsed } from '#service/http/endpointRoute.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';

export interface ImportPlace {
  readonly projectId: string;
  /** null: that of the file. */
  readonly name: string | null;
  /** null is the owner. */
  readonly who: string | null;
}

export interface StoredImport {
  readonly evaluation: Evaluation;
  /** null: the file has no answers. */
  readonly runId: EvaluationRun['id'] | null;
}

const BATCH = 2_000;
const MISSING = 'The imported file has no answer of this model to this row.';

const toAnswer = (answer: ImportedAnswer, model: number): NewAnswer => ({
  model,
  position: answer.row,
  repeat: answer.repeat,
  error: answer.error,
  text: answer.text,
  reasoning: answer.reasoning ?? '',
  calls: answer.calls ?? [],
  finish_reason: answer.finishReason ?? null,
  prompt_tokens: answer.promptTokens,
  completion_tokens: answer.completionTokens,
  ms: answer.ms,
  hash: '',
  fingerprint: null,
});

const NO_ANSWER = { text: '', error: MISSING, ms: null, promptTokens: null, completionTokens: null, verdicts: [] };

/** One for each model, row and repeat, so that no model is asked: those that the file lacks count as failed. */
function* toAnswers({ models, rows, answers, repeats }: ImportedEvaluation): Generator<NewAnswer> {
  const known = new Map(answers.map((answer) => [`${answer.model}\n${answer.row}\n${answer.repeat}`, answer]));
  for (const [place, model] of models.entries())
    for (let row = 0; row < rows.length; row += 1)
      for (let repeat = 1; repeat <= repeats; repeat += 1) {
        const answer = known.get(`${model}\n${row}\n${repeat}`);
        yield toAnswer(answer ?? { ...NO_ANSWER, model, row, repeat }, place);
      }
}

/** All or nothing. Throws HttpProblem 400, 404, 409, 413, 429, 507. */
export async function storeImport(
  deps: EvaluationDeps,
  imported: ImportedEvaluation,
  { projectId, name, who }: ImportPlace,
): Promise<StoredImport> {
  if (imported.rows.length === 0)
    throw new HttpProblem(
      400,
      'The file has scores, but no rows, so there is nothing to ask. Of lm-eval, take samples_*.jsonl (--log_samples).',
      { param: 'file', code: 'no_rows' },
    );
  if (imported.repeats > EVALUATION_LIMITS.repeats)
    throw new HttpProblem(
      400,
      `The file has ${imported.repeats} answers of a model to a row, and an evaluation has at most ${EVALUATION_LIMITS.repeats}.`,
      { param: 'file', code: 'too_many_repeats' },
    );
  const body = toParsed(newEvaluationSchema, toNewEvaluation(imported, { projectId, name }), 'The file');
  return deps.orm.transaction(async (orm) => {
    const evaluation = await createEvaluation({ ...deps, orm }, body, who);
    if (imported.answers.length === 0) return { evaluation, runId: null };
    const { models, repeats, baseline } = imported;
    const plan = toParsed(newRunSchema, { models: [...models], repeats }, 'The file');
    const start = { now: deps.now(), who, experimentId: null, baseline };
    const runId = await startRun(orm, evaluation.id, plan, start);
    if (runId === null) throw new Error('The run of an import was not made.');
    let batch: NewAnswer[] = [];
    for (const answer of toAnswers(imported)) {
      batch.push(answer);
      if (batch.length < BATCH) continue;
      await storeAnswers(orm, runId, batch);
      batch = [];
    }
    await storeAnswers(orm, runId, batch);
    await checkStoredBytes(orm, deps.storedBytes);
    return { evaluation, runId };
  });
}
