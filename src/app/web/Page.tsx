import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { Overlays } from './Overlays.tsx';
import { ProjectPanels } from './ProjectPanels.tsx';
import { SessionGate } from './SessionGate.tsx';
import { Shell } from './Shell.tsx';

interface PageProps {
  client: QueryClient;
}

/**
 * The whole page. Its parts are put together here, so that none of them has to know the next. Base UI may add no <style>
 * elements: the content security policy forbids them.
 */
export function Page({ client }: PageProps) {
  return (
    <StrictMode>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={client}>
          <SessionGate
            renderStudio={(session) => (
              <Shell
                session={session}
                renderProject={(projectId, isNarrow) => (
                  <ProjectPanels key={projectId} projectId={projectId} isNarrow={isNarrow} />
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
