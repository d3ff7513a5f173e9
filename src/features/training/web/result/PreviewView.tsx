import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { CreateJob } from '#features/training/shared/createJob.ts';
import { previewQuery } from '#features/training/web/api/trainingQueries.ts';
import { CopyBlock } from './CopyBlock.tsx';
import { toCommandText } from './serveElsewhereText.ts';

interface PreviewViewProps {
  job: CreateJob;
}

/** What exactly the runs of the dialog would run. */
export function PreviewView({ job }: PreviewViewProps) {
  const { data: runs, error } = useQuery({ ...previewQuery(job), placeholderData: keepPreviousData });
  if (error) return <p className="text-soft">It could not be loaded: {error.message}</p>;
  if (runs === undefined) return <p className="text-soft">It is being loaded.</p>;
  const [first] = runs;
  return (
    <div className="mt-1 flex flex-col gap-2">
      <p className="text-sm text-soft">
        The ids and seeds of the runs are chosen at the start. The service writes the rows and each job file before it
        starts the command.
      </p>
      {first && <CopyBlock title="Command, once for each job file" text={toCommandText(first.command)} />}
      {runs.map((run, at) => (
        // Equal runs are started as one, so no two have the same file.
        <CopyBlock key={run.job} title={`job.json of run ${at + 1}`} text={run.job} />
      ))}
    </div>
  );
}
