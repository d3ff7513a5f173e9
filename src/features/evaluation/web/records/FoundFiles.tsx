import { useQuery } from '@tanstack/react-query';
import { Button } from '#ui/kit/Button.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { formatCounted, formatMoment } from '#ui/kit/format.ts';
import { foundFilesQuery, type FoundFile } from './evaluationFile.ts';

const toFacts = ({ tool, models, rows, answers, modified_at: at }: FoundFile): string =>
  [
    tool ?? '',
    models.join(', '),
    rows === null ? '' : formatCounted(rows, 'row'),
    answers === null ? '' : formatCounted(answers, 'answer'),
    formatMoment(at),
  ]
    .filter((fact) => fact !== '')
    .join(' · ');

interface FoundFilesProps {
  onImport: (file: FoundFile) => void;
}

/** Files of evaluations below the folders whose runs the studio shows. */
export function FoundFiles({ onImport }: FoundFilesProps) {
  const { data, error, refetch } = useQuery(foundFilesQuery());
  if (error && data === undefined)
    return (
      <ErrorNotice
        title="The run folders can’t be searched for evaluations"
        detail={error.message}
        onRetry={() => void refetch()}
      />
    );
  if (data === undefined) return <p className="text-soft">Looking into the run folders …</p>;
  if (data === null || data.files.length === 0) return null;
  return (
    <section aria-labelledby="found-files" className="flex flex-col gap-1">
      <h3 id="found-files" className="font-medium">
        Found in your run folders
      </h3>
      <ul className="flex max-h-72 flex-col divide-y divide-line overflow-y-auto">
        {data.files.map((file) => (
          <li key={`${file.root_id}/${file.path}`} className="flex items-center gap-3 py-2">
            <div className="min-w-0 flex-1">
              <p className="font-medium break-words">{file.name ?? file.path}</p>
              <p className="text-sm break-words text-soft">{toFacts(file)}</p>
              {file.name !== null && <p className="text-sm break-all text-soft">{file.path}</p>}
              {file.problem !== null && <p className="text-sm break-words text-warning">{file.problem}</p>}
            </div>
            {file.problem === null && (
              <Button size="small" aria-label={`Import ${file.path}`} onClick={() => onImport(file)}>
                Import
              </Button>
            )}
          </li>
        ))}
      </ul>
      {data.left_out > 0 && (
        <p className="text-sm text-soft">
          {formatCounted(data.left_out, 'older file')} not listed: choose them as files.
        </p>
      )}
    </section>
  );
}
