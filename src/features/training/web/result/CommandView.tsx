import { useQuery } from '@tanstack/react-query';
import { commandQuery } from '#features/training/web/api/trainingQueries.ts';
import { CopyBlock } from './CopyBlock.tsx';
import { toCommandText } from './serveElsewhereText.ts';

interface CommandViewProps {
  id: string;
}

/** What exactly runs, ran or will run: the command, and the job file that it reads. */
export function CommandView({ id }: CommandViewProps) {
  const { data, error } = useQuery(commandQuery(id));
  if (error) return <p className="text-soft">The command could not be loaded: {error.message}</p>;
  if (data === undefined) return <p className="text-soft">The command is being loaded.</p>;
  return (
    <div className="mt-1 flex flex-col gap-2">
      <CopyBlock title="Command" text={toCommandText(data.command)} />
      <CopyBlock title="job.json" text={data.job} />
    </div>
  );
}
