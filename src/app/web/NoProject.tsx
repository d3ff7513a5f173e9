import { useEffect } from 'react';
import { ApiFailure } from '#ui/client/failure.ts';
import type { SessionInfo } from '#core/contract/sessionInfo.ts';
import type { ProjectSummary } from '#core/contract/tree.ts';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { FeatureBoundary } from '#ui/kit/FeatureBoundary.tsx';
import { useIsLater, Playground } from './loadDeferredCode.ts';
import { PlaygroundFrame } from '#features/playground/web/PlaygroundFrame.tsx';
import { PanelLayout } from './PanelLayout.tsx';
import { ProjectSteps } from './ProjectSteps.tsx';

interface NoProjectProps {
  mode: SessionInfo['mode'];
  /** undefined: they could not be listed. null: the service can't list projects. */
  projects: readonly ProjectSummary[] | null | undefined;
  error: Error | null;
  onRetry: () => void;
  isNarrow: boolean;
}

/** The page while no project is chosen: what to do next, beside a playground that needs none. */
export function NoProject({ mode, projects, error, onRetry, isNarrow }: NoProjectProps) {
  useIsLater(true);
  useEffect(() => {
    document.title = 'Model Studio';
  }, []);
  const failure = (
    <div className="mx-auto w-full max-w-lg p-6">
      <ErrorNotice
        title="The projects can't be listed"
        detail={error?.message ?? ''}
        hint={error instanceof ApiFailure ? error.hint : undefined}
        onRetry={onRetry}
      />
    </div>
  );
  const panels = {
    tree: null,
    workspace: (
      <div className="min-h-0 flex-1 overflow-y-auto">
        {projects === undefined ? failure : <ProjectSteps mode={mode} isListed={projects !== null} onRetry={onRetry} />}
      </div>
    ),
    playground: (
      <FeatureBoundary name="The playground" fallback={<PlaygroundFrame />}>
        <Playground project={null} />
      </FeatureBoundary>
    ),
  };
  return <PanelLayout isNarrow={isNarrow} panels={panels} />;
}
