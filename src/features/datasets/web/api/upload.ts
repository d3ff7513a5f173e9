// Sends a file as a dataset.
import { DATA_ROUTES } from '#features/datasets/shared/contract/dataRoutes.ts';
import { readBadLines, readMadeId } from '#features/datasets/shared/contract/datasetReader.ts';
import type { Dataset } from '#features/datasets/shared/contract/datasets.ts';
import { toHttpFailure, toShapeFailure } from '#ui/client/failure.ts';
import { SAME_ORIGIN, type TextAnswer } from '#ui/client/request.ts';
import { sendForm, type SendOptions } from './sendForm.ts';

export interface NewFile {
  readonly file: Blob;
  readonly fileName: string;
  readonly name: string;
  readonly projectId: string;
  /** Chosen here, so that progress can be asked for while the file is sent. */
  readonly datasetId: string;
  /** JSON; null: the form is found out from the rows. */
  readonly mapping: string | null;
  readonly form: 'preferred' | null;
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
  form.append('dataset_id', datasetId);
  if (mapping !== null) form.append('mapping', mapping);
  if (rowForm !== null) form.append('form', rowForm);
  form.append('bad_lines', isSkippingBadLines ? 'skip' : 'refuse');
  form.append('file', file, fileName);
  return form;
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

function toResult({ status, headers, text }: TextAnswer, now: number): UploadResult {
  const body = parseBody(text);
  if (status >= 400) {
    const failure = toHttpFailure(status, headers, text, now);
    const badLines = readBadLines(body);
    if (badLines.count > 0) return { kind: 'bad-lines', message: failure.message, badLines };
    throw failure;
  }
  const read = readMadeId(body, 'dataset_id');
  if (!read.ok) throw toShapeFailure(status, headers, read.reason);
  return { kind: 'made', id: read.value };
}

/** Throws ApiFailure. */
export async function uploadDataset(file: NewFile, options: SendOptions): Promise<UploadResult> {
  const { connection = SAME_ORIGIN } = options;
  return toResult(await sendForm(DATA_ROUTES.createDataset, toForm(file), options), connection.now());
}
