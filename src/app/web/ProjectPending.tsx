import { Suspense } from 'react';
import { ApiFailure, isMissing } from '#ui/client/failure.ts';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { toLazyPart } from '#ui/lazy/lazyPart.ts';
import { Skeleton } from '#ui/kit/Skeleton.tsx';

// Rarely needed: only for a link that leads nowhere.
const ProjectLinks = toLazyPart('The list of projects', async () => (await import('./ProjectLinks.tsx')).ProjectLinks);

interface ProjectPendingProps {
  /** Why the project is missing; null while it loads. */
  error: Error | null;
  onRetry: () => void;
}

/** Shown in the workspace before the first answer. */
export function ProjectPending({ error, onRetry }: ProjectPendingProps) {
  if (!error) return <Skeleton rows={8} className="p-6" />;
  const isRefused = error instanceof ApiFailure && error.status === 400;
  const isNowhere = isRefused || isMissing(error);
  return (
    <div className="mx-auto w-full max-w-xl p-6">
      <ErrorNotice
        title={isNowhere ? 'This studio has no such project' : "The project can't be shown"}
        detail={error.message}
        hint={
          isRefused ? 'Check the link, or open another project.' : error instanceof ApiFailure ? error.hint : undefined
        }
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
