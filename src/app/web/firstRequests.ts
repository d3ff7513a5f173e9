// Asks for the data of the first view. main.tsx imports it first, so that the requests are under way while all else is
// evaluated.
import { readUrl } from '#ui/address/urlState.ts';
import { prefetchFirstView } from '#ui/client/prefetchFirstView.ts';
import { toQueryClient } from './queryClient.ts';

export const root = document.getElementById('root');
export const client = toQueryClient();
/** Only a signed-in visitor gets the frame of the page (index.html). */
const isSignedIn = root?.firstElementChild != null;
/** Until then the frame stays. */
export const canDraw = prefetchFirstView(client, { project: readUrl().project, isSignedIn });
