// Sends a project's file: first for a preview that a person looks at, then to import it.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { refreshTrees } from '#features/datasets/web/api/dataChanges.ts';
import { sendProjectFile, type ImportedProject } from '#features/datasets/web/api/projectImport.ts';
import { ApiFailure } from '#ui/client/failure.ts';
import { modelsQuery } from '#ui/client/queries.ts';
import { toProject, updateUrl } from '#ui/address/urlState.ts';

export interface Preview {
  readonly project: ImportedProject;
  readonly isCopy: boolean;
}

type Phase =
  | { readonly kind: 'choice' }
  | { readonly kind: 'sending'; readonly preview: Preview | null; readonly bytes: number; readonly total: number }
  | { readonly kind: 'exists'; readonly project: { readonly id: string; readonly name: string } }
  | { readonly kind: 'failed'; readonly error: Error; readonly preview: Preview | null }
  | { readonly kind: 'previewed'; readonly preview: Preview }
  | { readonly kind: 'done'; readonly project: ImportedProject };

interface ProjectImportInput {
  readonly file: File;
  readonly hasModels: boolean;
  readonly onBusy: (isBusy: boolean) => void;
}

export function useProjectImport({ file, hasModels, onBusy }: ProjectImportInput) {
  const client = useQueryClient();
  const [phase, setPhase] = useState<Phase>({ kind: 'choice' });
  const stopper = useRef<AbortController | null>(null);
  useEffect(() => () => stopper.current?.abort(), []);

  /** `preview`: what is imported; null: the file is only looked at. */
  const send = async (isCopy: boolean, preview: Preview | null) => {
    const controller = new AbortController();
    stopper.current = controller;
    const onProgress = (bytes: number, total: number) => setPhase({ kind: 'sending', preview, bytes, total });
    onProgress(0, file.size);
    onBusy(true);
    try {
      const seed = preview?.project.seed ?? null;
      const result = await sendProjectFile(
        { file, isCopy, hasModels, seed },
        { signal: controller.signal, onProgress },
      );
      if (result.kind === 'exists') setPhase(result);
      else if (preview === null) setPhase({ kind: 'previewed', preview: { project: result.project, isCopy } });
      else {
        await Promise.all([refreshTrees(client), client.invalidateQueries({ queryKey: modelsQuery().queryKey })]);
        updateUrl(toProject(result.project.project_id));
        setPhase({ kind: 'done', project: result.project });
      }
    } catch (error) {
      if (error instanceof ApiFailure && error.kind === 'aborted')
        setPhase(preview === null ? { kind: 'choice' } : { kind: 'previewed', preview });
      else setPhase({ kind: 'failed', error: error instanceof Error ? error : new Error(String(error)), preview });
    }
    onBusy(false);
  };
  return {
    phase,
    check: (isCopy: boolean) => void send(isCopy, null),
    start: (preview: Preview) => void send(preview.isCopy, preview),
    cancel: () => stopper.current?.abort(),
    goBack: () => setPhase({ kind: 'choice' }),
  };
}
