// Sends a file as a dataset.
import type { Dataset } from '#features/datasets/shared/contract/datasets.ts';
import { checkAnswer } from '#ui/client/call.ts';
import { toHttpFailure } from '#ui/client/failure.ts';
import { SAME_ORIGIN, type TextAnswer } from '#ui/client/request.ts';
import { readBeside, sendForm, type SendOptions } from './sendForm.ts';

export interface NewFile {
  readonly file: Blob;
  readonly fileName: string;
  readonly name: string;
  readonly projectId: string;
  /** Chosen here, so that progress can be asked for while the file is sent; null: by the service. */
  readonly datasetId: string | null;
  /** JSON; null: the form is found out from the rows. */
  readonly mapping: string | null;
  readonly form: 'preferred' | 'mixed' | null;
  readonly isSkippingBadLines: boolean;
}

export type UploadResult =
  | { readonly kind: 'made'; readonly id: string }
  /** Nothing was imported, because of these lines. */
  | { readonly kind: 'bad-lines'; readonly message: string; readonly badLines: Dataset['bad_lines'] };

function toForm({
  file,
  fileName,
  name,
  projectId,
  datasetId,
  mapping,
  form: rowForm,
  isSkippingBadLines,
}: NewFile): FormData {
  const form = new FormData();
  // Before the file: what the service needs to know when it begins to read.
  form.append('name', name);
  form.append('project_id', projectId);
  if (datasetId !== null) form.append('dataset_id', datasetId);
  if (mapping !== null) form.append('mapping', mapping);
  if (rowForm !== null) form.append('form', rowForm);
  if (isSkippingBadLines) form.append('bad_lines', 'skip');
  form.append('file', file, fileName);
  return form;
}

function toResult(answer: TextAnswer, now: number): UploadResult {
  const { status, headers, text } = answer;
  if (status >= 400) {
    const failure = toHttpFailure(status, headers, text, now);
    // Beside the error.
    const badLines = readBeside(text, 'bad_lines') as Dataset['bad_lines'] | undefined;
    if (badLines) return { kind: 'bad-lines', message: failure.message, badLines };
    throw failure;
  }
  const { dataset_id: id } = checkAnswer(answer, 'dataset_id') as { readonly dataset_id: string };
  return { kind: 'made', id };
}

/** Throws ApiFailure. */
export async function uploadDataset(file: NewFile, options: SendOptions): Promise<UploadResult> {
  const { connection = SAME_ORIGIN } = options;
  return toResult(await sendForm('/api/v1/public/datasets/create-from-jsonl', toForm(file), options), connection.now());
}
