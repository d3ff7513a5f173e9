// The playground alone, as a page of its own: what `keepPart` mounts. It is built into one script, which each test runs
// anew.
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { projectQuery } from '#ui/client/queries.ts';
import { Overlays } from '#app/web/Overlays.tsx';
import { toQueryClient } from '#app/web/queryClient.ts';
import { ShortcutKeys } from '#app/web/ShortcutKeys.tsx';
import { Playground } from '#features/playground/web/Playground.tsx';
import { useUrlState } from '#ui/address/urlState.ts';

function Page() {
  const { project } = useUrlState();
  const { data = null } = useQuery({ ...projectQuery(project ?? ''), enabled: project !== null });
  return <Playground project={data} />;
}

/** Mounts it with the project that the address names. Returns what unmounts it. */
export function mountPage(host: HTMLElement): () => void {
  const root = createRoot(host);
  root.render(
    <StrictMode>
      <QueryClientProvider client={toQueryClient()}>
        <main>
          <Page />
        </main>
        <Overlays />
        <ShortcutKeys />
      </QueryClientProvider>
    </StrictMode>,
  );
  return () => root.unmount();
}
