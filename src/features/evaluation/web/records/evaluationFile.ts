// Sends a file of another tool as an evaluation.
import type { EvaluationRun } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import type { Evaluation } from '#features/evaluation/shared/contract/evaluations.ts';
import { sendForm, type SendOptions } from '#features/datasets/web/api/sendForm.ts';
import { checkAnswer } from '#ui/client/call.ts';
import { toHttpFailure } from '#ui/client/failure.ts';

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
