import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { Overlays } from './Overlays.tsx';
import { ProjectPanels } from './ProjectPanels.tsx';
import { toQueryClient } from './queryClient.ts';
import { SessionGate } from './SessionGate.tsx';
import { Shell } from './Shell.tsx';
import { Playground } from '#features/playground/web/Playground.tsx';

const client = toQueryClient();

/**
 * The whole page. Its parts are put together here, so that none of them has to know the next. What the first view shows is
 * one file: in many small ones the same code takes a tenth more to load. Base UI may add no <style> elements: the content
 * security policy forbids them.
 */
export function Page() {
  return (
    <StrictMode>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={client}>
          <SessionGate
            renderStudio={(session) => (
              <Shell
                session={session}
                renderPlayground={() => <Playground project={null} />}
                renderProject={(projectId, isNarrow) => (
                  <ProjectPanels
                    key={projectId}
                    projectId={projectId}
                    isNarrow={isNarrow}
                    renderPlayground={(project) => <Playground project={project} />}
                  />
                )}
              />
            )}
          />
          <Overlays />
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>
  );
}
