// The product's tree in a page by itself: the same modules, request, queries and styles as in the dashboard.
import { focusManager, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { toQueryClient } from '#app/web/queryClient.ts';
import { ProjectTree } from '#features/projects/web/ProjectTree.tsx';
import '../../src/app/web/styles.css';

const client = toQueryClient();
// Polls come when the benchmark asks for them and at no other time.
focusManager.setFocused(false);
window.pollTree = () => client.refetchQueries({ queryKey: ['project'] });

const projectId = new URLSearchParams(location.search).get('project') ?? '';
const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <div style={{ width: 400, height: 900, display: 'flex', flexDirection: 'column' }}>
          <ProjectTree projectId={projectId} more={null} renderMenu={() => null} />
        </div>
      </QueryClientProvider>
    </StrictMode>,
  );
}
