// Sends a project's file.
import { readExisting, readImported, type ReadImported } from '#features/project-files/shared/importedReader.ts';
import { TRANSFER_ROUTES } from '#features/project-files/shared/transferFile.ts';
import { toHttpFailure, toShapeFailure } from '#ui/client/failure.ts';
import { SAME_ORIGIN } from '#ui/client/request.ts';
import { sendForm, type SendOptions } from './sendForm.ts';

export interface ProjectFileChoice {
  readonly file: File;
  /** With ids of its own, beside the project that has those of the file. */
  readonly isCopy: boolean;
  /** Takes the model files that came with it. */
  readonly hasModels: boolean;
  /** Of a preview that a person has seen; null: nothing is stored, and the answer is a preview. */
  readonly seed: string | null;
}

export type ProjectImportResult =
  | { readonly kind: 'read'; readonly project: ReadImported }
  /** Nothing was imported: this project is here. */
  | { readonly kind: 'exists'; readonly project: { readonly id: string; readonly name: string } };

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

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
  const path = seed === null ? TRANSFER_ROUTES.previewImport : TRANSFER_ROUTES.importProject;
  const { status, headers, text } = await sendForm(path, form, options);
  const body = parseBody(text);
  if (status >= 400) {
    const project = readExisting(body);
    if (project) return { kind: 'exists', project };
    throw toHttpFailure(status, headers, text, connection.now());
  }
  const read = readImported(body);
  if (!read.ok) throw toShapeFailure(status, headers, read.reason);
  return { kind: 'read', project: read.value };
}
