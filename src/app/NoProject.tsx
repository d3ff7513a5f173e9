import { FolderTree } from 'lucide-react';
import { ApiFailure } from '../api/failure';
import type { ProjectSummary } from '../contract/tree';
import { EmptyState } from '../ui/EmptyState';
import { ErrorNotice } from '../ui/ErrorNotice';
import { toLatePart } from '../ui/latePart';
import { Skeleton } from '../ui/Skeleton';
import { FeatureBoundary } from '../ui/FeatureBoundary';

// Rarely needed: only where the service can't list its projects.
const ProjectEntry = toLatePart('This page', async () => (await import('./ProjectEntry')).ProjectEntry);

interface NoProjectProps {
  /** undefined: not known yet. null: the service can't list projects. */
  projects: readonly ProjectSummary[] | null | undefined;
  error: Error | null;
  onRetry: () => void;
}

/** What stands in the place of the panels while no project is chosen. */
export function NoProject({ projects, error, onRetry }: NoProjectProps) {
  if (projects === null) {
    return (
      <main className="min-h-0 flex-1 overflow-y-auto">
        <FeatureBoundary name="This page" fallback={<Skeleton className="p-8" />}>
          <ProjectEntry />
        </FeatureBoundary>
      </main>
    );
  }
  if (projects) {
    return (
      <main className="min-h-0 flex-1 overflow-y-auto py-10">
        <EmptyState icon={<FolderTree aria-hidden size={20} />} title="No projects yet">
          This studio has no projects. Start it without <code className="font-mono">--no-sample</code> to get the sample project; a
          project made elsewhere appears here after a reload.
        </EmptyState>
      </main>
    );
  }
  return (
    <main className="mx-auto w-full max-w-lg flex-1 p-6">
      {error ? (
        <ErrorNotice
          title="The projects can't be listed"
          detail={error.message}
          hint={error instanceof ApiFailure ? error.hint : undefined}
          onRetry={onRetry}
        />
      ) : (
        <Skeleton rows={6} />
      )}
    </main>
  );
}
