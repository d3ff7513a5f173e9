// Mounts parts of trainings alone: the button that cancels, and the watch on jobs that end.
import { useEffect } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, vi } from 'vitest';
import { CancelButton } from '#features/training/web/CancelButton.tsx';
import { Locator } from './locate.ts';

let root: Root | null = null;

function mount(element: React.ReactElement): Locator {
  root = createRoot(document.body.appendChild(document.createElement('div')));
  root.render(element);
  return new Locator(() => [document.documentElement]);
}

/** Before the tests of a file: each leaves an empty page. */
export function keepEmpty(): void {
  beforeEach(() => {
    vi.resetModules();
    document.title = 'Model Studio';
  });
  afterEach(() => {
    root?.unmount();
    root = null;
    document.body.replaceChildren();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });
}

export const openCancel = (statuses: readonly string[], onCancel: () => void): Locator =>
  mount(<CancelButton label="Cancel job" statuses={statuses} busyReason={null} onCancel={onCancel} />);

/** Watches the jobs of a project, whose first tree it has. `ask` asks for the tree again. */
export async function openJobEnds(
  projectId: string,
  onOpen: (jobId: string) => void,
): Promise<{ page: Locator; ask: () => Promise<void> }> {
  history.replaceState(null, '', `/?project=${projectId}`);
  const [{ QueryClientProvider, useQuery }, { toQueryClient }, { projectQuery }, { useJobEnds }, { ToastRegion }] =
    await Promise.all([
      import('@tanstack/react-query'),
      import('#app/web/queryClient.ts'),
      import('#ui/client/queries.ts'),
      import('#features/training/web/useJobEnds.ts'),
      // Alone: with all that floats above the page comes a watch of its own.
      import('#ui/kit/ToastRegion.tsx'),
    ]);
  const client = toQueryClient();
  let see: () => void = () => undefined;
  const seen = new Promise<void>((resolve) => {
    see = resolve;
  });
  function Watch() {
    useJobEnds(onOpen);
    const { data } = useQuery(projectQuery(projectId));
    // After the effects of the watch, which has seen the first tree then.
    useEffect(() => {
      if (data) see();
    }, [data]);
    return <ToastRegion />;
  }
  const page = mount(
    <QueryClientProvider client={client}>
      <Watch />
    </QueryClientProvider>,
  );
  await seen;
  return { page, ask: () => client.refetchQueries({ queryKey: ['project', projectId] }) };
}
