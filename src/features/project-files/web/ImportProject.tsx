import { formatBytes } from '#core/contract/numberNotation.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { TRANSFER_VERSION, type Manifest } from '#features/project-files/shared/transferFile.ts';
import { toChangeRefusal } from '#features/datasets/web/api/dataRefusal.ts';
import type { ImportedProject } from '#features/datasets/web/api/projectImport.ts';
import { toErrorWords } from '#ui/client/failure.ts';
import { sessionQuery } from '#ui/client/queries.ts';
import { FileChoice } from '#features/datasets/web/importing/FileChoice.tsx';
import { openDialog } from '#ui/commands/dialogs.ts';
import { toProject, updateUrl } from '#ui/address/urlState.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { Toggle } from '#ui/fields/Toggle.tsx';
import { formatCounted } from '#ui/kit/format.ts';
import { ProgressLine } from '#ui/timing/ProgressLine.tsx';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { ImportChanges } from './ImportChanges.tsx';
import { readProjectFile } from './projectFile.ts';
import { useProjectImport, type Preview } from './useProjectImport.ts';

type Look =
  | { readonly kind: 'reading' }
  | { readonly kind: 'read'; readonly manifest: Manifest }
  | { readonly kind: 'refused'; readonly reason: string };

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

/** What takes the place of something else in the dialog: it is read out, and Tab goes on from there. */
function NewContent({ label, children }: { label: string; children: ReactNode }) {
  const place = useRef<HTMLElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <section ref={place} tabIndex={-1} aria-label={label} className="flex flex-col gap-3 outline-none">
      {children}
    </section>
  );
}

const toHolds = ({ counts }: ImportedProject): string =>
  `${formatCounted(counts.rows, 'row')}, ${formatCounted(counts.experiments, 'run')}`;

function Done({ project, onClose }: { project: ImportedProject; onClose: () => void }) {
  return (
    <NewContent label="Imported">
      <p>
        Imported <span className="font-medium wrap-anywhere">{project.name}</span>: {toHolds(project)}.
      </p>
      <ImportChanges {...project} />
      <div className="flex justify-end">
        <Button variant="primary" onClick={onClose}>
          Look at the project
        </Button>
      </div>
    </NewContent>
  );
}

interface SendingProps {
  name: string;
  isPreview: boolean;
  bytes: number;
  total: number;
  onCancel: () => void;
}

function Sending({ name, isPreview, bytes, total, onCancel }: SendingProps) {
  const isSent = bytes >= total;
  const work = isPreview ? 'Checking ' : isSent ? 'Storing ' : 'Sending ';
  return (
    <div className="flex flex-col gap-3">
      <p>
        {work}
        <span className="font-medium wrap-anywhere">{name}</span>
      </p>
      <ProgressLine label={isPreview ? 'Check' : 'Import'} share={isSent ? null : bytes / Math.max(1, total)} />
      <p className="text-soft tabular-nums">
        {!isSent
          ? `${formatBytes(bytes)} of ${formatBytes(total)}`
          : isPreview
            ? 'The studio has the whole file and reads the rest of it.'
            : 'The studio has the whole file and stores the rest of it.'}
      </p>
      <div className="flex justify-end">
        <Button variant="danger" onClick={onCancel}>
          {isPreview ? 'Cancel' : 'Cancel the import'}
        </Button>
      </div>
    </div>
  );
}

interface PreviewedProps {
  preview: Preview;
  fileName: string;
  /** Why an import failed. */
  error: Error | null;
  onBack: () => void;
  onImport: () => void;
}

/** What an import would make, and what it would not take as the file says it. */
function Previewed({ preview: { project, isCopy }, fileName, error, onBack, onImport }: PreviewedProps) {
  const ready = project.models.filter(({ state }) => state === 'ready');
  const bytes = ready.reduce((sum, model) => sum + model.bytes, 0);
  return (
    <NewContent label="What an import makes of the file">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        <dt className="text-soft">Project</dt>
        <dd className="min-w-0 font-medium wrap-anywhere">{project.name}</dd>
        <dt className="text-soft">Holds</dt>
        <dd>{toHolds(project)}</dd>
        <dt className="text-soft">Models</dt>
        <dd>
          {ready.length === 0 ? 'None can be asked here' : `${formatCounted(ready.length, 'model')} can be asked here`}
          {bytes > 0 && `, with ${formatBytes(bytes)} of files`}
        </dd>
        <dt className="text-soft">File</dt>
        <dd className="min-w-0 break-all">{fileName}</dd>
      </dl>
      <ImportChanges {...project} />
      {error !== null && <ErrorNotice title="The project was not imported" {...toErrorWords(error)} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onBack}>Back</Button>
        <Button variant="primary" onClick={onImport}>
          {error !== null ? 'Try again' : isCopy ? 'Import a copy' : 'Import project'}
        </Button>
      </div>
    </NewContent>
  );
}

interface RefusedProps {
  fileName: string;
  reason: string;
  onOther: () => void;
}

/** A file that is no project's. */
function Refused({ fileName, reason, onOther }: RefusedProps) {
  return (
    <div className="flex flex-col gap-3">
      <p role="alert">
        <span className="font-medium break-all">{fileName}</span> can’t be imported. {reason}
      </p>
      <div className="flex justify-end">
        <Button onClick={onOther}>Choose another file</Button>
      </div>
    </div>
  );
}

interface ExistsProps {
  /** Of the project that is here. */
  name: string;
  onOpen: () => void;
  onCopy: () => void;
}

function Exists({ name, onOpen, onCopy }: ExistsProps) {
  return (
    <div className="flex flex-col gap-3">
      <p role="alert">
        The project of this file is in this studio already, as <span className="font-medium wrap-anywhere">{name}</span>
        . Nothing was imported. A copy has ids of its own and stands beside it.
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onOpen}>Open it</Button>
        <Button variant="primary" onClick={onCopy}>
          Check it as a copy
        </Button>
      </div>
    </div>
  );
}

interface ChosenProps {
  manifest: Manifest;
  fileName: string;
  hasModels: boolean;
  onHasModels: (hasModels: boolean) => void;
  /** Why the check failed. */
  error: Error | null;
  onOther: () => void;
  onCheck: () => void;
}

/** What the file says of itself. */
function Chosen({ manifest, fileName, hasModels, onHasModels, error, onOther, onCheck }: ChosenProps) {
  const date = Date.parse(manifest.exported_at);
  return (
    <div className="flex flex-col gap-3">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        <dt className="text-soft">Project</dt>
        <dd className="min-w-0 font-medium wrap-anywhere">{manifest.name}</dd>
        <dt className="text-soft">Rows</dt>
        <dd>{formatCounted(manifest.rows, 'row')}</dd>
        {Number.isFinite(date) && (
          <>
            <dt className="text-soft">Exported</dt>
            <dd>{new Date(date).toLocaleString()}</dd>
          </>
        )}
        <dt className="text-soft">File</dt>
        <dd className="min-w-0 break-all">{fileName}</dd>
      </dl>
      {manifest.model_bytes > 0 && (
        <div>
          <Toggle
            label={`Take its model files, too (${formatBytes(manifest.model_bytes)})`}
            value={hasModels}
            onChange={onHasModels}
          />
          <p className="text-sm text-soft">An engine loads them: take them only from people whom you trust.</p>
        </div>
      )}
      <p className="text-soft">Next you see what of it is taken. Nothing is imported before you agree.</p>
      {error !== null && <ErrorNotice title="The file can’t be imported" {...toErrorWords(error)} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onOther}>Choose another file</Button>
        <Button variant="primary" onClick={onCheck}>
          {error !== null ? 'Try again' : 'Check the file'}
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
  const look = useLook(file);
  const [hasModels, setHasModels] = useState(false);
  const { phase, check, start, cancel, goBack } = useProjectImport({ file, hasModels, onBusy });
  if (look.kind === 'reading') return <Skeleton rows={3} />;
  if (look.kind === 'refused') return <Refused fileName={file.name} reason={look.reason} onOther={onOther} />;
  const { manifest } = look;
  const fileName = `${file.name}, ${formatBytes(file.size)}`;
  if (phase.kind === 'done') return <Done project={phase.project} onClose={onClose} />;
  if (phase.kind === 'sending') {
    const { preview, bytes, total } = phase;
    return <Sending {...{ bytes, total }} name={manifest.name} isPreview={preview === null} onCancel={cancel} />;
  }
  if (phase.kind === 'exists') {
    const { id, name } = phase.project;
    const open = () => {
      updateUrl(toProject(id));
      onClose();
    };
    return <Exists name={name} onOpen={open} onCopy={() => check(true)} />;
  }
  const error = phase.kind === 'failed' ? phase.error : null;
  const preview = phase.kind === 'choice' ? null : phase.preview;
  return preview !== null ? (
    <Previewed {...{ preview, fileName, error }} onBack={goBack} onImport={() => start(preview)} />
  ) : (
    <Chosen
      {...{ manifest, fileName, hasModels, error, onOther }}
      onHasModels={setHasModels}
      onCheck={() => check(false)}
    />
  );
}

interface ImportProjectProps {
  /** Chosen or dropped; null: not yet. */
  file: File | null;
  onClose: () => void;
}

/** Makes a project of a file that was exported: choose it, see what it holds, import it. */
export function ImportProject({ file, onClose }: ImportProjectProps) {
  const refusal = toChangeRefusal(useQuery(sessionQuery()).data, 'Import projects');
  const [isBusy, setBusy] = useState(false);
  const close = () => {
    if (!isBusy) onClose();
  };
  return (
    <Dialog title="Import project" isOpen onClose={close}>
      {refusal !== null ? (
        <p>{refusal}</p>
      ) : file ? (
        <ProjectFile
          key={`${file.name} ${file.size} ${file.lastModified}`}
          file={file}
          onOther={() => openDialog({ kind: 'import-project' })}
          onClose={close}
          onBusy={setBusy}
        />
      ) : (
        <FileChoice
          onFile={(chosen) => openDialog({ kind: 'import-project', file: chosen })}
          accept=".gz,.jsonl,application/gzip"
          about="The file of a project that was exported here or in another studio. Its name ends with .project.jsonl.gz."
        />
      )}
    </Dialog>
  );
}
