// Reads a project's file as an import does, and stores nothing: what the import would answer.
import type { ImportPreview } from '#features/project-files/shared/transfer.ts';
import { PREVIEWED } from './modelStore.ts';
import { openReception, type ImportChoice, type ReceptionDeps, type RecordStore } from './reception.ts';

export function openPreview(deps: ReceptionDeps, choice: ImportChoice): RecordStore<ImportPreview> {
  const { admit, modelImport, toId, toResult, seed } = openReception(deps, choice, PREVIEWED);
  let project = { id: '', name: '' };
  return {
    async take(items) {
      for await (const item of admit(items)) {
        if (item.kind === 'project') project = { id: toId(item.id), name: item.name };
        else if (item.kind === 'model' || item.kind === 'file' || item.kind === 'part' || item.kind === 'file-end')
          await modelImport.take(item);
      }
    },
    async finish() {
      return { ...toResult(project.id, project.name, await modelImport.finish()), seed };
    },
    remove: () => modelImport.close(),
  };
}
