// Sends a project's file.
import type { ImportPreview, ProjectImported } from '#features/project-files/shared/transfer.ts';
import { checkAnswer } from '#ui/client/call.ts';
import { toHttpFailure } from '#ui/client/failure.ts';
import { SAME_ORIGIN } from '#ui/client/request.ts';
import { readBeside, sendForm, type SendOptions } from './sendForm.ts';

export interface ProjectFileChoice {
  readonly file: File;
  /** With ids of its own, beside the project that has those of the file. */
  readonly isCopy: boolean;
  /** Takes the model files that came with it. */
  readonly hasModels: boolean;
  /** Of a preview that a person has seen; null: nothing is stored, and the answer is a preview. */
  readonly seed: string | null;
}

/** With a seed, to be sent with the import: it is a preview. */
export type ImportedProject = ProjectImported & Partial<Pick<ImportPreview, 'seed'>>;

export type ProjectImportResult =
  | { readonly kind: 'read'; readonly project: ImportedProject }
  /** Nothing was imported: this project is here. */
  | { readonly kind: 'exists'; readonly project: { readonly id: string; readonly name: string } };

/** Sends a file to be imported, or to be looked at. Throws ApiFailure. */
export async function sendProjectFile(
  { file, isCopy, hasModels, seed }: ProjectFileChoice,
  options: SendOptions,
): Promise<ProjectImportResult> {
  const { connection = SAME_ORIGIN } = options;
  const form = new FormData();
  // Before the file: what the service needs to know when it begins to read.
  form.append('ids', isCopy ? 'new' : 'keep');
  form.append('models', hasModels ? 'include' : 'leave');
  if (seed !== null) form.append('seed', seed);
  form.append('file', file, file.name);
  const path = seed === null ? '/api/v1/studio/projects/import/preview' : '/api/v1/studio/projects/import';
  const answer = await sendForm(path, form, options);
  const { status, headers, text } = answer;
  if (status >= 400) {
    const project = readBeside(text, 'project') as { readonly id: string; readonly name: string } | undefined;
    if (project) return { kind: 'exists', project };
    throw toHttpFailure(status, headers, text, connection.now());
  }
  return { kind: 'read', project: checkAnswer(answer, 'project_id') as ImportedProject };
}
