// The one React Query client of a page.
import { QueryCache, QueryClient } from '@tanstack/react-query';
import { isSignedOut } from '#ui/client/failure.ts';
import { prepareTreesWith } from '#ui/client/projectAnswer.ts';
import { sessionQuery } from '#ui/client/queries.ts';
import { subscribeSession } from '#ui/client/sessionNews.ts';
import { wakeUpWith } from '#ui/client/refetchOnReturn.ts';
import { prepareShownTree } from '#features/projects/web/treeIndex/shownTree.ts';

export function toQueryClient(): QueryClient {
  // A tree is shown with its index: making it while a component renders would stop the page.
  prepareTreesWith(prepareShownTree);
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        const { queryKey } = sessionQuery();
        if (isSignedOut(error) && query.queryKey[0] !== queryKey[0]) void client.invalidateQueries({ queryKey });
      },
    }),
    // Polling decides when to ask; coming back to the tab asks at once, which React Query does by itself, and wakeUp
    // for what was not answered.
    defaultOptions: { queries: { gcTime: 10 * 60_000 } },
  });
  subscribeSession(() => void client.invalidateQueries({ queryKey: sessionQuery().queryKey }));
  wakeUpWith(client, { window, document, now: () => Date.now() });
  return client;
}
