import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { TRANSFER_VERSION, type Manifest } from '#shared/contract/transfer/transferFile.ts';
import type { ReadImported } from '#shared/contract/transfer/importedReader.ts';
import { refreshTrees } from '#web/api/data/dataChanges.ts';
import { toDataRefusal } from '#web/api/data/dataRefusal.ts';
import { importProject } from '#web/api/data/projectImport.ts';
import { ApiFailure, toErrorWords } from '#web/api/failure.ts';
import { modelsQuery, sessionQuery } from '#web/api/queries.ts';
import { FileChoice } from '#web/data/adding/FileChoice.tsx';
import { offerFile, useOfferedFile } from '#web/data/adding/offeredFile.ts';
import { formatBytes } from '#web/data/adding/progress.ts';
import { toProject, updateUrl } from '#web/session/urlState.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { ErrorNotice } from '#web/ui/ErrorNotice.tsx';
import { Toggle } from '#web/ui/fields/Toggle.tsx';
import { formatCounted } from '#web/ui/format.ts';
import { ProgressLine } from '#web/ui/timing/ProgressLine.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { readProjectFile } from './projectFile.ts';

type Look =
  | { readonly kind: 'reading' }
  | { readonly kind: 'read'; readonly manifest: Manifest }
  | { readonly kind: 'refused'; readonly reason: string };

type Phase =
  | { readonly kind: 'choice' }
  | { readonly kind: 'sending'; readonly bytes: number; readonly total: number }
  | { readonly kind: 'exists'; readonly project: { readonly id: string; readonly name: string } }
  | { readonly kind: 'failed'; readonly error: Error }
  | { readonly kind: 'done'; readonly project: ReadImported };

const NO_PROJECT =
  'This is not the file of an exported project. Such a file comes from “Export project…”, and its name ends with .project.jsonl.gz.';

async function lookAt(file: File): Promise<Look> {
  try {
    const manifest = await readProjectFile(file);
    if (!manifest) return { kind: 'refused', reason: NO_PROJECT };
    if (manifest.version > TRANSFER_VERSION)
      return { kind: 'refused', reason: 'A newer Model Studio made it. Update this one, then import the file.' };
    return { kind: 'read', manifest };
  } catch {
    return { kind: 'refused', reason: 'The browser can’t read it. Was it moved? Choose it again.' };
  }
}

function useLook(file: File): Look {
  const [look, setLook] = useState<Look>({ kind: 'reading' });
  useEffect(() => {
    let isShown = true;
    void lookAt(file).then((found) => isShown && setLook(found));
    return () => {
      isShown = false;
    };
  }, [file]);
  return look;
}

const open = (id: string): void => updateUrl(toProject(id));

function Done({ project, onClose }: { project: ReadImported; onClose: () => void }) {
  return (
    <div className="flex flex-col gap-3">
      <p>
        Imported <span className="font-medium">{project.name}</span>: {formatCounted(project.rows, 'row')},{' '}
        {formatCounted(project.runs, 'run')}.
      </p>
      {project.missing.length > 0 && (
        <div className="rounded-md bg-wait-soft px-2.5 py-1.5">
          <p>
            {formatCounted(project.missing.length, 'model')} can’t be asked here. The runs and their results are all
            there.
          </p>
          <ul className="mt-1 max-h-40 overflow-y-auto text-sm">
            {project.missing.map(({ id, reason }) => (
              <li key={id}>
                <code className="font-mono break-all">{id}</code>: {reason}
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className="flex justify-end">
        <Button variant="primary" onClick={onClose}>
          Look at the project
        </Button>
      </div>
    </div>
  );
}

interface ProjectFileProps {
  file: File;
  onOther: () => void;
  onClose: () => void;
  /** While something runs, the dialog stays open. */
  onBusy: (isBusy: boolean) => void;
}

/** What the file says of itself, and what is done with it. */
function ProjectFile({ file, onOther, onClose, onBusy }: ProjectFileProps) {
  const client = useQueryClient();
  const look = useLook(file);
  const [hasModels, setHasModels] = useState(false);
  const [phase, setPhase] = useState<Phase>({ kind: 'choice' });
  const stopper = useRef<AbortController | null>(null);
  useEffect(() => () => stopper.current?.abort(), []);
  const send = async (isCopy: boolean) => {
    const controller = new AbortController();
    stopper.current = controller;
    setPhase({ kind: 'sending', bytes: 0, total: file.size });
    onBusy(true);
    try {
      const result = await importProject(
        { file, isCopy, hasModels },
        {
          signal: controller.signal,
          onProgress: (bytes, total) => setPhase({ kind: 'sending', bytes, total }),
        },
      );
      if (result.kind === 'made') {
        await Promise.all([refreshTrees(client), client.invalidateQueries({ queryKey: modelsQuery().queryKey })]);
        open(result.project.id);
        setPhase({ kind: 'done', project: result.project });
      } else setPhase(result);
    } catch (error) {
      if (error instanceof ApiFailure && error.kind === 'aborted') setPhase({ kind: 'choice' });
      else setPhase({ kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) });
    }
    onBusy(false);
  };
  const other = <Button onClick={onOther}>Choose another file</Button>;
  if (look.kind === 'reading') return <Skeleton rows={3} />;
  if (look.kind === 'refused')
    return (
      <div className="flex flex-col gap-3">
        <p role="alert">
          <span className="font-medium break-all">{file.name}</span> can’t be imported. {look.reason}
        </p>
        <div className="flex justify-end">{other}</div>
      </div>
    );
  const { manifest } = look;
  if (phase.kind === 'done') return <Done project={phase.project} onClose={onClose} />;
  if (phase.kind === 'sending') {
    const isSent = phase.bytes >= phase.total;
    return (
      <div className="flex flex-col gap-3">
        <p>
          {isSent ? 'Storing ' : 'Sending '}
          <span className="font-medium">{manifest.name}</span>
        </p>
        <ProgressLine label="Import" share={isSent ? null : phase.bytes / Math.max(1, phase.total)} />
        <p className="text-soft tabular-nums">
          {isSent
            ? 'The studio has the whole file and stores the rest of it.'
            : `${formatBytes(phase.bytes)} of ${formatBytes(phase.total)}`}
        </p>
        <div className="flex justify-end">
          <Button variant="danger" onClick={() => stopper.current?.abort()}>
            Cancel the import
          </Button>
        </div>
      </div>
    );
  }
  if (phase.kind === 'exists') {
    const { id, name } = phase.project;
    return (
      <div className="flex flex-col gap-3">
        <p role="alert">
          The project of this file is in this studio already, as <span className="font-medium">{name}</span>. Nothing
          was imported. A copy has ids of its own and stands beside it.
        </p>
        <div className="flex flex-wrap justify-end gap-2">
          <Button
            onClick={() => {
              open(id);
              onClose();
            }}
          >
            Open it
          </Button>
          <Button variant="primary" onClick={() => void send(true)}>
            Import a copy
          </Button>
        </div>
      </div>
    );
  }
  const date = Date.parse(manifest.exported_at);
  return (
    <div className="flex flex-col gap-3">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        <dt className="text-soft">Project</dt>
        <dd className="font-medium">{manifest.name}</dd>
        <dt className="text-soft">Rows</dt>
        <dd>{formatCounted(manifest.rows, 'row')}</dd>
        {Number.isFinite(date) && (
          <>
            <dt className="text-soft">Exported</dt>
            <dd>{new Date(date).toLocaleString()}</dd>
          </>
        )}
        <dt className="text-soft">File</dt>
        <dd className="break-all">
          {file.name}, {formatBytes(file.size)}
        </dd>
      </dl>
      {manifest.model_bytes > 0 && (
        <div>
          <Toggle
            label={`Take its model files, too (${formatBytes(manifest.model_bytes)})`}
            value={hasModels}
            onChange={setHasModels}
          />
          <p className="text-sm text-soft">An engine loads them: take them only from people whom you trust.</p>
        </div>
      )}
      {phase.kind === 'failed' && <ErrorNotice title="The project was not imported" {...toErrorWords(phase.error)} />}
      <div className="flex flex-wrap justify-end gap-2">
        {other}
        <Button variant="primary" onClick={() => void send(false)}>
          {phase.kind === 'failed' ? 'Try again' : 'Import project'}
        </Button>
      </div>
    </div>
  );
}

interface ImportProjectProps {
  onClose: () => void;
}

/** Makes a project of a file that was exported: choose it, see what it holds, import it. */
export function ImportProject({ onClose }: ImportProjectProps) {
  const refusal = toDataRefusal(useQuery(sessionQuery()).data, 'Import projects');
  const file = useOfferedFile();
  const [isBusy, setBusy] = useState(false);
  const close = () => {
    if (isBusy) return;
    offerFile(null);
    onClose();
  };
  return (
    <Dialog title="Import project" isOpen onClose={close}>
      {refusal !== null ? (
        <p>{refusal}</p>
      ) : file ? (
        <ProjectFile
          key={`${file.name} ${file.size} ${file.lastModified}`}
          file={file}
          onOther={() => offerFile(null)}
          onClose={close}
          onBusy={setBusy}
        />
      ) : (
        <FileChoice
          onFile={offerFile}
          accept=".gz,.jsonl,application/gzip"
          about="The file of a project that was exported here or in another studio. Its name ends with .project.jsonl.gz."
        />
      )}
    </Dialog>
  );
}
