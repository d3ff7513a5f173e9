import { useQueryClient } from '@tanstack/react-query';
import { FileButton } from '../FileButton.tsx';
import { useState } from 'react';
import { updateUrl } from '#ui/address/urlState.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { DialogFoot } from '#ui/kit/DialogFoot.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { formatCounted } from '#ui/kit/format.ts';
import { ProgressLine } from '#ui/timing/ProgressLine.tsx';
import { importFoundFile, sendEvaluationFile, type FoundFile, type ImportedFile } from './evaluationFile.ts';
import { FoundFiles } from './FoundFiles.tsx';

type State =
  | { readonly kind: 'open'; readonly failure: string | null }
  | { readonly kind: 'sending'; readonly name: string; readonly share: number | null; readonly stop: () => void }
  | { readonly kind: 'done'; readonly imported: ImportedFile };

const OPEN: State = { kind: 'open', failure: null };

function Done({ imported: { evaluation, run, tool, problems } }: { imported: ImportedFile }) {
  return (
    <section aria-label="Imported" className="flex flex-col gap-3">
      <p>
        <span className="font-medium break-words">{evaluation.name}</span> was imported from {tool}:{' '}
        {formatCounted(evaluation.row_count, 'row')}, {formatCounted(evaluation.checks.length, 'check')}
        {run && `, ${formatCounted(run.done, 'answer')} of ${formatCounted(run.models.length, 'model')}`}.
        {evaluation.models.length === 0 && ' Choose models of this studio before you run it.'}
      </p>
      {problems.length > 0 && (
        <>
          <p className="text-warning">Not taken as the file says it:</p>
          <ul className="flex max-h-72 list-disc flex-col gap-1 overflow-y-auto pl-5 text-sm">
            {problems.map((problem) => (
              <li key={problem} className="break-words">
                {problem}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

interface ImportDialogProps {
  projectId: string;
  onClose: () => void;
}

/** Makes an evaluation of a file of another tool, and says what of it has no place here. */
export function ImportDialog({ projectId, onClose }: ImportDialogProps) {
  const client = useQueryClient();
  const [state, setState] = useState<State>(OPEN);
  const take = async (
    name: string,
    first: number | null,
    work: (signal: AbortSignal, show: (share: number | null) => void) => Promise<ImportedFile>,
  ): Promise<void> => {
    const stopping = new AbortController();
    const show = (share: number | null) => setState({ kind: 'sending', name, share, stop: () => stopping.abort() });
    show(first);
    try {
      const imported = await work(stopping.signal, show);
      await client.invalidateQueries({ queryKey: ['evaluations'] });
      setState({ kind: 'done', imported });
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error);
      setState({ kind: 'open', failure: stopping.signal.aborted ? null : failure });
    }
  };
  const takeFile = (file: File) =>
    take(file.name, 0, (signal, show) => {
      const onProgress = (bytes: number, total: number) => show(bytes < total ? bytes / Math.max(1, total) : null);
      return sendEvaluationFile(projectId, file, { onProgress, signal });
    });
  const takeFound = (file: FoundFile) => take(file.path, null, (signal) => importFoundFile(projectId, file, signal));
  const close = () => {
    if (state.kind === 'sending') state.stop();
    onClose();
  };
  return (
    <Dialog title="Import an evaluation" isOpen onClose={close}>
      {state.kind === 'done' ? (
        <>
          <Done imported={state.imported} />
          <DialogFoot>
            <span className="flex justify-end">
              <Button
                variant="primary"
                onClick={() => {
                  updateUrl({ evaluation: state.imported.evaluation.id, run: null, answers: null });
                  onClose();
                }}
              >
                Look at it
              </Button>
            </span>
          </DialogFoot>
        </>
      ) : state.kind === 'sending' ? (
        <div className="flex flex-col gap-3">
          <p className="break-words">
            {state.share === null ? 'Reading' : 'Sending'} {state.name}
          </p>
          <ProgressLine label="Import" share={state.share} />
          <div className="flex justify-end">
            <Button onClick={state.stop}>Cancel</Button>
          </div>
        </div>
      ) : (
        <div className="flex flex-col gap-4">
          <p>
            promptfoo’s configuration (YAML or JSON) and results, Inspect’s logs (.eval or JSON), lm-eval’s
            samples_*.jsonl, and what a studio exported as JSON lines. Answers of the file become a run that the checks
            judge here; no model is asked.
          </p>
          {state.failure !== null && <ErrorNotice title="The file was not imported" detail={state.failure} />}
          <div className="flex">
            <FileButton accept=".yaml,.yml,.json,.jsonl,.eval" onChoose={(file) => void takeFile(file)} />
          </div>
          <FoundFiles onImport={(file) => void takeFound(file)} />
        </div>
      )}
    </Dialog>
  );
}
