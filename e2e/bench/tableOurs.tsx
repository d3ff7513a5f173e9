// The product's experiments table in a page by itself: the same modules, requests and styles as in the dashboard.
import { focusManager, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { lazy, StrictMode, Suspense, useMemo } from 'react';
import { createRoot } from 'react-dom/client';
import { projectQuery } from '#ui/client/queries.ts';
import { toQueryClient } from '#app/web/queryClient.ts';
import '../../src/app/web/styles.css';

// Loaded later, as in the dashboard.
const ExperimentsPanel = lazy(async () => {
  const { ExperimentsPanel: Panel } = await import('#features/experiments/web/ExperimentsPanel.tsx');
  return { default: Panel };
});

const client = toQueryClient();
// Nothing is polled while it is measured.
focusManager.setFocused(false);
const projectId = new URLSearchParams(location.search).get('project') ?? '';

function Page() {
  const { data } = useQuery(projectQuery(projectId));
  const path = useMemo(() => (data ? [data] : null), [data]);
  return (
    path && (
      <ExperimentsPanel path={path} onTry={() => undefined} onChat={null} renderConfigs={null} renderLosses={null} />
    )
  );
}

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <div style={{ width: 1100, height: 860, display: 'flex', flexDirection: 'column' }}>
          <Suspense>
            <Page />
          </Suspense>
        </div>
      </QueryClientProvider>
    </StrictMode>,
  );
}
