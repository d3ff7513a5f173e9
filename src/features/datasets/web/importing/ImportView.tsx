import { useQuery, useQueryClient } from '@tanstack/react-query';
import { datasetQuery } from '#features/datasets/web/api/datasetQueries.ts';
import { selectNode } from '#ui/address/nodeTab.ts';
import { toProject, updateUrl } from '#ui/address/urlState.ts';
import { Button } from '#ui/kit/Button.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { formatCounted } from '#ui/kit/format.ts';
import { ProgressLine } from '#ui/timing/ProgressLine.tsx';
import { sessionQuery } from '#ui/client/queries.ts';
import { toErrorWords } from '#ui/client/failure.ts';
import { BadLines } from './BadLines.tsx';
import { isRunning, startImport, stopImport, useImporting } from './importing.ts';
import { toProgressText, toRowsText } from './progress.ts';

/** Shows the dataset in its project. */
function openDataset(projectId: string, datasetId: string): void {
  updateUrl(toProject(projectId));
  selectNode({ id: datasetId, type: 'dataset' }, 'data');
}

interface ImportViewProps {
  onClose: () => void;
  /** Goes back to the choice of a file. */
  onOther: () => void;
}

/** An import while it runs, and what came of it. */
export function ImportView({ onClose, onOther }: ImportViewProps) {
  const client = useQueryClient();
  const { request, datasetId, isLong, phase } = useImporting();
  const isRemote = useQuery(sessionQuery()).data?.mode === 'gateway';
  const isAsked = isLong && isRunning(phase);
  const { data: dataset } = useQuery({ ...datasetQuery(isAsked ? datasetId : ''), refetchInterval: 1000 });
  if (!request || phase.kind === 'none') return null;
  const { unit } = request;
  const fileName = request.file.name;
  const again = (isSkipping: boolean) => void startImport(client, request, isSkipping);
  if (phase.kind === 'sending' || phase.kind === 'storing') {
    const isSent = phase.kind === 'storing';
    const stored = dataset?.progress ?? null;
    const share = isSent ? null : (phase.samples.at(-1)?.bytes ?? 0) / Math.max(1, phase.total);
    return (
      <div className="flex flex-col gap-3">
        <p>
          {isSent ? 'Storing the rows of ' : 'Sending '}
          <span className="font-medium break-all">{fileName}</span>
        </p>
        <ProgressLine label="Import" share={share} />
        <div className="text-soft tabular-nums">
          <p>
            {isSent
              ? 'The studio has the whole file and checks its last rows.'
              : toProgressText(phase.samples, phase.total)}
          </p>
          {stored !== null && <p>{toRowsText(stored)}</p>}
        </div>
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Go on in the background</Button>
          <Button
            variant="danger"
            disabledReason={isSent && isRemote ? 'The remote studio has the whole file and goes on with it.' : null}
            onClick={stopImport}
          >
            Cancel the import
          </Button>
        </div>
      </div>
    );
  }
  const other = <Button onClick={onOther}>{phase.kind === 'done' ? 'Add another file' : 'Choose another file'}</Button>;
  if (phase.kind === 'bad-lines') {
    const { badLines } = phase;
    const lines = formatCounted(badLines.count, unit);
    return (
      <div className="flex flex-col gap-3">
        <p role="alert">
          <span className="font-semibold text-error">Nothing was imported.</span> {lines} of{' '}
          <span className="break-all">{fileName}</span>{' '}
          {badLines.count === 1 ? 'can’t be read as a row' : 'can’t be read as rows'}. Correct{' '}
          {badLines.count === 1 ? 'it' : 'them'} in the file, or import the others without{' '}
          {badLines.count === 1 ? 'it' : 'them'}; then {badLines.count === 1 ? 'it' : 'all of them'} can be downloaded.
        </p>
        <BadLines lines={badLines.first} count={badLines.count} datasetId={null} fileName={fileName} />
        <div className="flex flex-wrap justify-end gap-2">
          {other}
          <Button variant="primary" onClick={() => again(true)}>
            Import without {badLines.count === 1 ? 'it' : 'them'}
          </Button>
        </div>
      </div>
    );
  }
  if (phase.kind === 'failed') {
    return (
      <div className="flex flex-col gap-3">
        <ErrorNotice
          title={`${fileName} was not imported`}
          {...toErrorWords(phase.error)}
          onRetry={() => again(false)}
          action={other}
        />
      </div>
    );
  }
  const { dataset: made, projectId } = phase;
  const { same_file_as: same, bad_lines: badLines } = made;
  return (
    <div className="flex flex-col gap-3">
      <p>
        <span className="font-semibold text-success">{formatCounted(made.datapoints_count, 'row')}</span> in the dataset{' '}
        <span className="font-medium">{made.name}</span>.
      </p>
      {same !== null && (
        <p className="rounded-md bg-warning-soft px-2.5 py-1.5">
          The same file was imported before, as the dataset {same.name}. Both are kept; delete one if you need only one.
        </p>
      )}
      {badLines.count > 0 && (
        <>
          <p>
            {formatCounted(badLines.count, unit)} {badLines.count === 1 ? 'was' : 'were'} left out:
          </p>
          <BadLines lines={badLines.first} count={badLines.count} datasetId={made.id} fileName={fileName} />
        </>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        {other}
        <Button
          variant="primary"
          onClick={() => {
            openDataset(projectId, made.id);
            onClose();
          }}
        >
          Look at the rows
        </Button>
      </div>
    </div>
  );
}
