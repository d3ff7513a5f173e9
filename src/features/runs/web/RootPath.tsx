import { useQuery } from '@tanstack/react-query';
import { runRootsQuery } from '#features/runs/web/api/runRootsQuery.ts';
import { runCommand } from '#ui/commands/commands.ts';

interface RootPathProps {
  project: string;
}

/** Where a project comes from, if it is a folder of runs. */
export function RootPath({ project }: RootPathProps) {
  const { data: roots } = useQuery(runRootsQuery());
  const root = roots?.find(({ id }) => id === project);
  if (!root) return null;
  return (
    <button
      type="button"
      title={`Runs of ${root.path}. Open the run folders.`}
      onClick={() => runCommand('run-folders')}
      className={
        'flex min-h-5 max-w-full min-w-0 items-center gap-1 rounded text-sm hover:text-ink hover:underline ' +
        `${root.state === 'missing' ? 'text-error' : 'text-soft'}`
      }
    >
      <span className="truncate font-mono">{root.path}</span>
      {root.state === 'missing' && <span className="shrink-0">· not there now</span>}
    </button>
  );
}
