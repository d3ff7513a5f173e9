// Changes of evaluations: each tells the person what failed, and makes what is shown new.
import { useQueryClient } from '@tanstack/react-query';
import type { NewRun } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import type { Evaluation, EvaluationChange, NewEvaluation } from '#features/evaluation/shared/contract/evaluations.ts';
import { updateUrl } from '#ui/address/urlState.ts';
import { send } from '#ui/client/call.ts';
import { showToast } from '#ui/kit/toast.ts';

const toReason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Makes an evaluation. Throws ApiFailure. */
export const createEvaluation = (body: NewEvaluation): Promise<Evaluation> =>
  send('POST', '/api/v1/studio/evaluations', [], { body, field: 'id' }) as Promise<Evaluation>;

const sendChange = ({ id, revision }: Evaluation, patch: Omit<EvaluationChange, 'revision'>): Promise<unknown> =>
  send('PUT', '/api/v1/studio/evaluations/{evaluationId}', [id], { body: { revision, ...patch } });

export interface RecordActions {
  readonly change: (evaluation: Evaluation, patch: Omit<EvaluationChange, 'revision'>) => void;
  /** As `change`; rejects with what went wrong. */
  readonly changeOrThrow: (evaluation: Evaluation, patch: Omit<EvaluationChange, 'revision'>) => Promise<void>;
  readonly remove: (evaluation: Evaluation) => void;
  readonly start: (evaluation: Pick<Evaluation, 'id'>, run?: NewRun) => void;
  readonly cancel: (runId: string) => void;
  readonly resume: (runId: string) => void;
  readonly rescore: (runId: string) => void;
  readonly removeRun: (runId: string) => void;
  /** An evaluation of the rows that a model of the run failed; null: any model. */
  readonly keepFailures: (evaluation: Evaluation, runId: string, model: string | null) => void;
}

export function useRecordActions(): RecordActions {
  const client = useQueryClient();
  const renew = (): void => {
    for (const first of ['evaluations', 'evaluation', 'evaluation-run'])
      void client.invalidateQueries({ queryKey: [first] });
  };
  /** What to say if it fails, and what is done. */
  const doing = (what: string, work: () => Promise<unknown>): void => {
    work()
      .catch((error: unknown) => showToast(`${what} ${toReason(error)}`, { tone: 'error', kind: 'evaluation' }))
      .finally(renew);
  };
  return {
    change: (evaluation, patch) => doing(`${evaluation.name} was not changed.`, () => sendChange(evaluation, patch)),
    changeOrThrow: async (evaluation, patch) => {
      await sendChange(evaluation, patch);
      renew();
    },
    remove: ({ id, name }) =>
      doing(`${name} was not deleted.`, async () => {
        await send('DELETE', '/api/v1/studio/evaluations/{evaluationId}', [id], {});
        updateUrl({ evaluation: null, run: null, answers: null });
      }),
    start: ({ id }, body = {}) =>
      doing('The run was not started.', async () => {
        await send('POST', '/api/v1/studio/evaluations/{evaluationId}/runs', [id], { body });
        updateUrl({ run: null });
      }),
    cancel: (id) =>
      doing('The run was not cancelled.', () =>
        send('POST', '/api/v1/studio/evaluation-runs/{runId}/cancel', [id], {}),
      ),
    resume: (id) =>
      doing('The run does not go on.', () => send('POST', '/api/v1/studio/evaluation-runs/{runId}/resume', [id], {})),
    rescore: (id) =>
      doing('The answers were not judged again.', () =>
        send('POST', '/api/v1/studio/evaluation-runs/{runId}/rescore', [id], {}),
      ),
    removeRun: (id) =>
      doing('The run was not deleted.', async () => {
        await send('DELETE', '/api/v1/studio/evaluation-runs/{runId}', [id], {});
        updateUrl({ run: null, answers: null });
      }),
    keepFailures: (evaluation, runId, model) =>
      doing('The evaluation was not made.', async () => {
        const { id } = await createEvaluation({
          project_id: evaluation.project_id,
          name: `Failures of ${evaluation.name}`.slice(0, 200),
          source: { kind: 'run', run_id: runId, ...(model !== null && { model }) },
          prompt: evaluation.prompt,
          system: evaluation.system,
          checks: [...evaluation.checks],
          settings: evaluation.settings,
          models: [...evaluation.models],
          repeats: evaluation.repeats,
          baseline: evaluation.baseline,
        });
        updateUrl({ evaluation: id, run: null, answers: null });
      }),
  };
}
