// Sends a file as a dataset. XMLHttpRequest, because fetch says nothing of how much has been sent.
import { DATA_ROUTES } from '#shared/contract/data/dataRoutes.ts';
import { readBadLines, readMadeId } from '#shared/contract/data/datasetReader.ts';
import type { Dataset } from '#shared/contract/data/datasets.ts';
import { toAborted, toHttpFailure, toNetworkFailure, toShapeFailure } from '#web/api/failure.ts';
import { SAME_ORIGIN, type Connection } from '#web/api/request.ts';

export interface NewFile {
  readonly file: Blob;
  readonly fileName: string;
  readonly name: string;
  readonly projectId: string;
  /** Chosen here, so that progress can be asked for while the file is sent. */
  readonly datasetId: string;
  /** JSON; null: the form is found out from the rows. */
  readonly mapping: string | null;
  readonly isSkippingBadLines: boolean;
}

export type UploadResult =
  | { readonly kind: 'made'; readonly id: string }
  /** Nothing was imported, because of these lines. */
  | { readonly kind: 'bad-lines'; readonly message: string; readonly badLines: Dataset['bad_lines'] };

interface UploadOptions {
  /** Bytes sent, and all there are. */
  readonly onProgress: (bytes: number, total: number) => void;
  readonly signal: AbortSignal;
  readonly connection?: Connection;
}

function toForm({ file, fileName, name, projectId, datasetId, mapping, isSkippingBadLines }: NewFile): FormData {
  const form = new FormData();
  // Before the file: what the service needs to know when it begins to read.
  form.append('name', name);
  form.append('project_id', projectId);
  form.append('dataset_id', datasetId);
  if (mapping !== null) form.append('mapping', mapping);
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

function toHeaders(text: string): Headers {
  const headers = new Headers();
  for (const line of text.split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon).trim(), line.slice(colon + 1).trim());
  }
  return headers;
}

function toResult(request: XMLHttpRequest, now: number): UploadResult {
  const { status, responseText } = request;
  const headers = toHeaders(request.getAllResponseHeaders());
  const body = parseBody(responseText);
  if (status >= 400) {
    const failure = toHttpFailure(status, headers, responseText, now);
    const badLines = readBadLines(body);
    if (badLines.count > 0) return { kind: 'bad-lines', message: failure.message, badLines };
    throw failure;
  }
  const read = readMadeId(body, 'dataset_id');
  if (!read.ok) throw toShapeFailure(status, headers, read.reason);
  return { kind: 'made', id: read.value };
}

/** Throws ApiFailure. There is no time limit: a file may take hours, and a person can stop it. */
export function uploadDataset(file: NewFile, options: UploadOptions): Promise<UploadResult> {
  const { onProgress, signal, connection = SAME_ORIGIN } = options;
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(toAborted());
      return;
    }
    const request = new XMLHttpRequest();
    const stop = (): void => request.abort();
    const end = (act: () => void) => (): void => {
      signal.removeEventListener('abort', stop);
      act();
    };
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded, total));
    request.addEventListener(
      'load',
      end(() => {
        try {
          resolve(toResult(request, connection.now()));
        } catch (error) {
          reject(error as Error);
        }
      }),
    );
    request.addEventListener(
      'error',
      end(() => reject(toNetworkFailure('The connection broke while the file was sent.', true))),
    );
    request.addEventListener(
      'abort',
      end(() => reject(toAborted())),
    );
    signal.addEventListener('abort', stop);
    request.open('POST', `${connection.baseUrl}${DATA_ROUTES.createDataset}`);
    request.send(toForm(file));
  });
}
