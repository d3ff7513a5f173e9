import { Suspense } from 'react';
import { ApiFailure, isMissing } from '../api/failure';
import { ErrorNotice } from '../ui/ErrorNotice';
import { toLatePart } from '../ui/latePart';
import { Skeleton } from '../ui/Skeleton';

// Rarely needed: only for a link that leads nowhere.
const ProjectLinks = toLatePart('The list of projects', async () => (await import('./ProjectLinks')).ProjectLinks);

interface ProjectPendingProps {
  /** Why the project is not here; null while it is being loaded. */
  error: Error | null;
  onRetry: () => void;
}

/** What stands in the workspace before the first answer. */
export function ProjectPending({ error, onRetry }: ProjectPendingProps) {
  if (!error) return <Skeleton rows={8} className="p-6" />;
  const isRefused = error instanceof ApiFailure && error.status === 400;
  const isNowhere = isRefused || isMissing(error);
  return (
    <div className="mx-auto w-full max-w-xl p-6">
      <ErrorNotice
        title={isNowhere ? 'This studio has no such project' : "The project can't be shown"}
        detail={error.message}
        hint={isRefused ? 'The address names it: check the link, or open another project.' : error instanceof ApiFailure ? error.hint : undefined}
        onRetry={onRetry}
      />
      {isNowhere && (
        <Suspense>
          <ProjectLinks />
        </Suspense>
      )}
    </div>
  );
}
