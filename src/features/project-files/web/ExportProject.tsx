import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { toDataRefusal } from '#features/datasets/web/api/dataRefusal.ts';
import { projectsQuery, sessionQuery } from '#ui/client/queries.ts';
import { knownRootsQuery } from '#features/runs/web/api/runRootsQuery.ts';
import { useUrlState } from '#ui/address/urlState.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { Toggle } from '#ui/fields/Toggle.tsx';
import { toPath } from '#core/contract/path.ts';

interface ExportProjectProps {
  onClose: () => void;
}

/** Why the project on screen can't be exported; null: it can. */
function useRefusal(projectId: string | null): string | null {
  const { data: session } = useQuery(sessionQuery());
  const { data: roots } = useQuery(knownRootsQuery());
  const refusal = toDataRefusal(session, 'Export this project');
  if (refusal !== null) return refusal;
  if (projectId === null) return 'Open a project first.';
  if (roots?.some(({ id }) => id === projectId))
    return 'This project is a folder with runs, which is only read. Copy the folder to take it elsewhere.';
  return null;
}

/** Downloads the project on screen as one file. */
export function ExportProject({ onClose }: ExportProjectProps) {
  const { project } = useUrlState();
  const { data: projects } = useQuery(projectsQuery());
  const refusal = useRefusal(project);
  const [hasModels, setHasModels] = useState(false);
  const name = projects?.find(({ id }) => id === project)?.name ?? 'this project';
  return (
    <Dialog title="Export project" isOpen onClose={onClose}>
      {refusal !== null || project === null ? (
        <p>{refusal}</p>
      ) : (
        <div className="flex flex-col gap-3">
          <p>
            One file with all of <span className="font-medium">{name}</span>: rows with their original lines and marks,
            snapshots, recommendations, runs with their curves, and notes. Another studio makes the same project of it
            with “Import project…”.
          </p>
          <div>
            <Toggle label="Include the files of its models" value={hasModels} onChange={setHasModels} />
            <p className="text-sm text-soft">
              {hasModels
                ? 'The models answer in the other studio, too. The file gets as large as they are.'
                : 'Models are named only. Runs and results are in the file in any case.'}
            </p>
          </div>
          <div className="flex flex-wrap justify-end gap-2">
            <Button onClick={onClose}>Cancel</Button>
            <a
              href={toPath('/api/v1/studio/projects/{projectId}/export', [project], {
                models: hasModels ? 'include' : null,
              })}
              download
              onClick={onClose}
              className={
                'inline-flex h-7 items-center rounded-md border border-accent bg-accent px-2.5 font-medium text-on-accent ' +
                'hover:brightness-110'
              }
            >
              Download
            </a>
          </div>
        </div>
      )}
    </Dialog>
  );
}
