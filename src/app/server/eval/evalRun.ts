// `eval`: the run of an evaluation that a script asks about, started or gone on with where needed, until it has ended.
import { setTimeout as pause } from 'node:timers/promises';
import { STUDIO } from '#core/contract/studioEndpoints.ts';
import { EVALUATIONS } from '#features/evaluation/shared/contract/evaluationEndpoints.ts';
import type { Evaluation } from '#features/evaluation/shared/contract/evaluations.ts';
import type { EvaluationRun } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import { StudioRefusal, type AskStudio } from '#app/server/client/studioRequests.ts';

export interface EvalQuestion {
  /** Id or name of an evaluation. */
  readonly set: string;
  /** Empty: those of the evaluation. */
  readonly models: readonly string[];
  /** null: models are not compared. */
  readonly baseline: string | null;
  /** null: that of the evaluation. */
  readonly repeats: number | null;
}

export interface EvalDeps {
  readonly ask: AskStudio;
  /** Lines about the progress. */
  readonly report: (line: string) => void;
  readonly pollMs?: number;
}

const POLL_MS = 1_000;
/** Polls that may fail one after another, while the studio starts again. */
const MOST_FAILURES = 60;

const IS_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The evaluation of an id or a name. Throws an Error for people. */
async function findEvaluation(set: string, ask: AskStudio): Promise<Evaluation> {
  if (IS_ID.test(set)) return ask(EVALUATIONS.getEvaluation, { params: { evaluationId: set } });
  const { projects } = await ask(STUDIO.listProjects);
  const found: Evaluation[] = [];
  for (const { id } of projects) {
    const { evaluations } = await ask(EVALUATIONS.listEvaluations, { query: { project_id: id } });
    found.push(...evaluations.filter(({ name }) => name === set));
  }
  const [first, second] = found;
  if (first === undefined)
    throw new Error(`The studio has no evaluation called “${set}”. Give its name as the page shows it, or its id.`);
  if (second === undefined) return first;
  throw new Error(
    `${found.length} evaluations are called “${set}”. Give the id of one: ${found.map(({ id }) => id).join(', ')}.`,
  );
}

const isActive = ({ status }: EvaluationRun): boolean => ['queued', 'running', 'waiting'].includes(status);

/** The newest run of this version with all of these models, the completed before others. */
function findRun(
  runs: readonly EvaluationRun[],
  { version }: Evaluation,
  models: readonly string[],
  repeats: number,
): EvaluationRun | null {
  const fitting = runs.filter(
    (run) =>
      run.version === version &&
      run.checks_version === version &&
      run.repeats === repeats &&
      models.every((model) => run.models.some((own) => own.model === model)),
  );
  return fitting.find(({ status, failed }) => status === 'completed' && failed === 0) ?? fitting[0] ?? null;
}

function toProgress({ number, status, reason, done, failed, judged, answers, seconds_left }: EvaluationRun): string {
  const left = seconds_left === null ? '' : `, about ${Math.ceil(seconds_left)} s left`;
  const isJudging = status === 'running' && done + failed >= answers && judged > 0 && judged < done;
  const judging = isJudging ? `, judging ${judged} of ${done}` : '';
  const failures = failed > 0 ? `, ${failed} failed` : '';
  const why = status === 'waiting' && reason !== null ? ` (waits: ${reason})` : '';
  return `Run ${number}: ${done} of ${answers} answers${failures}${left}${judging}${why}`;
}

/** A studio that starts again is waited for. Throws an Error for people. */
async function follow(run: EvaluationRun, { ask, report, pollMs = POLL_MS }: EvalDeps): Promise<EvaluationRun> {
  let [now, said, failures] = [run, '', 0];
  while (isActive(now)) {
    const line = toProgress(now);
    if (line !== said) report(line);
    said = line;
    await pause(pollMs);
    try {
      now = await ask(EVALUATIONS.getEvaluationRun, { params: { runId: run.id } });
      failures = 0;
    } catch (error) {
      failures += 1;
      const isFinal =
        error instanceof StudioRefusal && error.status >= 400 && error.status < 500 && error.status !== 429;
      if (isFinal || failures > MOST_FAILURES) throw error;
    }
  }
  if (said !== '') report(toProgress(now));
  return now;
}

export interface EndedRun {
  readonly evaluation: Evaluation;
  /** Completed, each row with an answer. */
  readonly run: EvaluationRun;
}

/** Finds or starts the run, goes on with one that has ended early, and waits for its end. Throws an Error for people. */
export async function reachRun(question: EvalQuestion, deps: EvalDeps): Promise<EndedRun> {
  const { ask, report } = deps;
  const evaluation = await findEvaluation(question.set, ask);
  const judged = question.models.length > 0 ? question.models : evaluation.models;
  const models = [...new Set([...judged, ...(question.baseline === null ? [] : [question.baseline])])];
  if (models.length === 0)
    throw new Error(`The evaluation “${evaluation.name}” names no models. Name some with --models.`);
  const repeats = question.repeats ?? evaluation.repeats;
  const of = { params: { evaluationId: evaluation.id } };
  const { runs } = await ask(EVALUATIONS.listEvaluationRuns, of);
  const known = findRun(runs, evaluation, models, repeats);
  if (known) report(`Run ${known.number} of “${evaluation.name}”, version ${evaluation.version}, is ${known.status}.`);
  const started = known ?? (await ask(EVALUATIONS.startEvaluationRun, { ...of, body: { models, repeats } }));
  let run = await follow(started, deps);
  const isWhole = (): boolean => run.status === 'completed' && run.failed === 0;
  // What ended before this command came is gone on with, once.
  if (!isWhole() && known && !isActive(known)) {
    report(`Run ${run.number} is gone on with.`);
    run = await follow(await ask(EVALUATIONS.resumeEvaluationRun, { params: { runId: run.id } }), deps);
  }
  if (run.status !== 'completed')
    throw new Error(
      `Run ${run.number} is ${run.status}${run.reason === null ? '' : `: ${run.reason.replace(/\.$/, '')}`}.`,
    );
  if (run.failed > 0)
    throw new Error(`Run ${run.number} has ${run.failed} rows without an answer. Their reasons are on its page.`);
  return { evaluation, run };
}
