// Files of other tools as evaluations: those that are sent, and those in folders of runs.
import { queryOptions } from '@tanstack/react-query';
import type { FoundEvaluationList } from '#features/evaluation/shared/contract/evaluationImport.ts';
import type { EvaluationRun } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import type { Evaluation } from '#features/evaluation/shared/contract/evaluations.ts';
import { sendForm, type SendOptions } from '#features/datasets/web/api/sendForm.ts';
import { ask, checkAnswer, send } from '#ui/client/call.ts';
import { toHttpFailure } from '#ui/client/failure.ts';
import { hideMissing } from '#ui/client/queryRules.ts';

export interface ImportedFile {
  readonly evaluation: Evaluation;
  readonly run: EvaluationRun | null;
  readonly tool: string;
  readonly problems: readonly string[];
}

/** Throws ApiFailure. */
export async function sendEvaluationFile(projectId: string, file: File, options: SendOptions): Promise<ImportedFile> {
  const form = new FormData();
  // Before the file: what the service needs to know when it begins to read.
  form.append('project_id', projectId);
  form.append('file', file, file.name);
  const answer = await sendForm('/api/v1/studio/evaluations/import', form, options);
  if (answer.status >= 400) throw toHttpFailure(answer.status, answer.headers, answer.text, Date.now());
  return checkAnswer(answer, 'evaluation') as ImportedFile;
}

export type FoundFile = FoundEvaluationList['files'][number];

/** null: this studio reads no folders. */
export const foundFilesQuery = () =>
  queryOptions({
    queryKey: ['evaluation-files'],
    queryFn: ({ signal }) => ask('/api/v1/studio/evaluation-files', [], 'files', { signal }).catch(hideMissing),
  });

/** Throws ApiFailure. */
export const importFoundFile = (projectId: string, { root_id, path }: FoundFile, signal: AbortSignal) =>
  send('POST', '/api/v1/studio/evaluation-files', [], {
    body: { project_id: projectId, root_id, path },
    field: 'evaluation',
    signal,
  });
