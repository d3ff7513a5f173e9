// Makes a dataset of what people preferred and corrected.
import { useQueryClient } from '@tanstack/react-query';
import type { EvaluationRun } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import type { Evaluation } from '#features/evaluation/shared/contract/evaluations.ts';
import type { JudgementForm } from '#features/evaluation/shared/contract/judgements.ts';
import { refreshTrees } from '#features/datasets/web/api/dataChanges.ts';
import { uploadDataset } from '#features/datasets/web/api/upload.ts';
import { makeUuid } from '#features/datasets/web/importing/makeUuid.ts';
import { updateUrl } from '#ui/address/urlState.ts';
import { requestText } from '#ui/client/request.ts';
import { showToast } from '#ui/kit/toast.ts';

const NONE = 'Nobody has preferred, corrected or passed an answer yet, so there are no rows.';

async function makeDataset(projectId: string, runId: string, form: JudgementForm, name: string): Promise<string> {
  const { text } = await requestText(`/api/v1/studio/evaluation-runs/${runId}/judgement-rows?form=${form}`, {});
  if (text === '') throw new Error(NONE);
  const made = await uploadDataset(
    {
      file: new Blob([text]),
      fileName: `${form}.jsonl`,
      name: name.slice(0, 200),
      projectId,
      datasetId: makeUuid(),
      mapping: null,
      form: null,
      isSkippingBadLines: false,
    },
    { onProgress: () => undefined, signal: new AbortController().signal },
  );
  if (made.kind === 'bad-lines') throw new Error(made.message);
  return made.id;
}

/** Says what was made, or why nothing was. */
export function useJudgementDataset() {
  const client = useQueryClient();
  return async (evaluation: Evaluation, run: EvaluationRun, form: JudgementForm, name: string): Promise<void> => {
    try {
      const id = await makeDataset(evaluation.project_id, run.id, form, name);
      await refreshTrees(client);
      showToast(`${name} is a dataset of this project.`, {
        action: { label: 'Show it', onSelect: () => updateUrl({ node: id }) },
        kind: 'judgement',
      });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      showToast(`The dataset was not made. ${reason}`, { tone: 'error', kind: 'judgement' });
    }
  };
}
