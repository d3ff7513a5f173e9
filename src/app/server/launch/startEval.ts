// `eval`: asks a running studio whether models are good enough, for scripts.
import { EVALUATIONS } from '#features/evaluation/shared/contract/evaluationEndpoints.ts';
import { toGate } from '#features/evaluation/shared/gate.ts';
import { openStudioRequests, readTokenFile } from '#app/server/client/studioRequests.ts';
import { EXIT_CODES, ERROR_CODE, toJson, toText } from '#app/server/eval/evalReport.ts';
import { reachRun } from '#app/server/eval/evalRun.ts';
import type { EvalSettings } from './commands.ts';

/** What goes to standard output, and the exit code. Progress and failures go to `report`. */
export async function runEval(
  settings: EvalSettings,
  report: (line: string) => void,
  pollMs?: number,
): Promise<{ readonly text: string; readonly exitCode: number }> {
  const { address, question, rule, isJson } = settings;
  try {
    for (const warning of address.warnings) report(`Warning: ${warning}`);
    const ask = openStudioRequests(address.studio, await readTokenFile(address.tokenFile));
    const { evaluation, run } = await reachRun(question, { ask, report, ...(pollMs === undefined ? {} : { pollMs }) });
    const { baseline } = question;
    const scores = await ask(EVALUATIONS.getEvaluationScores, { params: { runId: run.id }, query: { baseline } });
    const wanted = new Set(question.models.length > 0 ? question.models : evaluation.models);
    const models = scores.models.filter(({ model }) => wanted.has(model));
    if (models.every(({ rate }) => rate.total === 0))
      throw new Error(`No answer of run ${run.number} was judged. Give the evaluation checks that apply to its rows.`);
    const gate = toGate({ ...scores, models }, rule);
    const result = { evaluation, run, rule, baseline, gate };
    return { text: isJson ? toJson(result) : toText(result), exitCode: EXIT_CODES[gate.outcome] };
  } catch (error) {
    report(error instanceof Error ? error.message : String(error));
    return { text: '', exitCode: ERROR_CODE };
  }
}
