// The import that runs: one at a time. It goes on while its dialog is closed.
import type { QueryClient } from '@tanstack/react-query';
import { create } from 'zustand';
import type { Dataset } from '#features/datasets/shared/contract/datasets.ts';
import { fetchKept } from '#ui/client/fetchKept.ts';
import { createProject, refreshTrees } from '#features/datasets/web/api/dataChanges.ts';
import { cancelImport, datasetQuery } from '#features/datasets/web/api/datasetQueries.ts';
import { uploadDataset } from '#features/datasets/web/api/upload.ts';
import { sessionQuery } from '#ui/client/queries.ts';
import { ApiFailure } from '#ui/client/failure.ts';
import { SAME_ORIGIN, type Connection } from '#ui/client/request.ts';
import { addSample, type Sample } from './progress.ts';
import { makeUuid } from './makeUuid.ts';
import type { RowUnit } from './preview.ts';

/** What a person decided. */
export interface ImportRequest {
  readonly file: File;
  readonly unit: RowUnit;
  readonly name: string;
  /** null: a project with the name `projectName` is made first. */
  readonly projectId: string | null;
  readonly projectName: string;
  /** JSON; null: a form that is known. */
  readonly mapping: string | null;
  /** null: found out from the rows. */
  readonly form: 'preferred' | 'mixed' | null;
}

export type ImportPhase =
  | { readonly kind: 'none' }
  | { readonly kind: 'sending'; readonly samples: readonly Sample[]; readonly total: number }
  /** The service has the whole file and stores its rows. */
  | { readonly kind: 'storing'; readonly total: number }
  | { readonly kind: 'bad-lines'; readonly message: string; readonly badLines: Dataset['bad_lines'] }
  | { readonly kind: 'failed'; readonly error: Error }
  | { readonly kind: 'done'; readonly dataset: Dataset; readonly projectId: string };

interface ImportState {
  readonly request: ImportRequest | null;
  readonly datasetId: string;
  /** It has run long enough that the service knows it and has rows. */
  readonly isLong: boolean;
  readonly phase: ImportPhase;
}

const NONE: ImportState = { request: null, datasetId: '', isLong: false, phase: { kind: 'none' } };

export const useImporting = create<ImportState>(() => NONE);

let stopper: AbortController | null = null;

export const isRunning = ({ kind }: ImportPhase): boolean => kind === 'sending' || kind === 'storing';

const isImporting = (): boolean => isRunning(useImporting.getState().phase);

const show = (phase: ImportPhase): void => useImporting.setState({ phase });

/** Forgets an import that is over. */
export function forgetImport(): void {
  if (!isImporting()) useImporting.setState(NONE);
}

/** Ends the import that runs. Nothing of the file is kept. */
export function stopImport(): void {
  stopper?.abort();
}

const POLL_MS = 700;
const LONG_MS = 1500;

/** Waits until the service has stored the rows. */
async function waitForRows(client: QueryClient, id: string, signal: AbortSignal): Promise<Dataset> {
  for (;;) {
    const dataset = await fetchKept(client, { ...datasetQuery(id), staleTime: 0 });
    if (!dataset) throw new Error('The studio no longer has the dataset. Import the file again.');
    if (dataset.status === 'failed')
      throw new Error(dataset.error ?? 'The import failed, and the studio did not say why.');
    if (dataset.status !== 'processing') return dataset;
    await new Promise<void>((resolve) => setTimeout(resolve, POLL_MS));
    if (signal.aborted) {
      await cancelImport(id);
      throw new DOMException('Stopped.', 'AbortError');
    }
  }
}

const isStopped = (error: unknown): boolean =>
  (error instanceof ApiFailure && error.kind === 'aborted') ||
  (error instanceof DOMException && error.name === 'AbortError');

const warnBeforeLeaving = (event: BeforeUnloadEvent): void => event.preventDefault();

/** Imports a file. What happens is in `useImporting`; resolves with the dataset, or null if there is none. */
export async function startImport(
  client: QueryClient,
  request: ImportRequest,
  isSkippingBadLines: boolean,
  connection: Connection = SAME_ORIGIN,
): Promise<Dataset | null> {
  if (isImporting()) return null;
  const datasetId = makeUuid();
  const isRemote = client.getQueryData(sessionQuery().queryKey)?.mode === 'gateway';
  const controller = new AbortController();
  stopper = controller;
  const total = request.file.size;
  useImporting.setState({ request, datasetId, isLong: false, phase: { kind: 'sending', samples: [], total } });
  window.addEventListener('beforeunload', warnBeforeLeaving);
  const timer = setTimeout(() => useImporting.setState({ isLong: !isRemote }), LONG_MS);
  try {
    const projectId = request.projectId ?? (await createProject(request.projectName, '', connection));
    // A second try must not make a second project.
    useImporting.setState({ request: { ...request, projectId } });
    let samples: readonly Sample[] = [{ at: connection.now(), bytes: 0 }];
    const result = await uploadDataset(
      {
        file: request.file,
        fileName: request.file.name,
        name: request.name,
        projectId,
        // A remote studio may refuse fields that are ours.
        datasetId: isRemote ? null : datasetId,
        mapping: request.mapping,
        form: request.form,
        isSkippingBadLines,
      },
      {
        signal: controller.signal,
        connection,
        onProgress: (bytes, all) => {
          samples = addSample(samples, { at: connection.now(), bytes });
          show(bytes >= all ? { kind: 'storing', total } : { kind: 'sending', samples, total: all });
        },
      },
    );
    if (result.kind === 'bad-lines') {
      show(result);
      return null;
    }
    show({ kind: 'storing', total });
    useImporting.setState({ datasetId: result.id });
    const dataset = await waitForRows(client, result.id, controller.signal);
    await refreshTrees(client);
    show({ kind: 'done', dataset, projectId });
    return dataset;
  } catch (error) {
    if (isStopped(error)) useImporting.setState({ ...NONE });
    else show({ kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) });
    return null;
  } finally {
    clearTimeout(timer);
    window.removeEventListener('beforeunload', warnBeforeLeaving);
    stopper = null;
  }
}
