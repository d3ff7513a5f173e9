// The whole page, as `main.tsx` shows it, without its style sheet: what `keepStudio` mounts. It is built into one script,
// as `playground.tsx` is.
import { createRoot } from 'react-dom/client';
import { Page } from '#app/web/Page.tsx';
import { toQueryClient } from '#app/web/queryClient.ts';

const client = toQueryClient();

/** Mounts it with the project that the address names. Returns what unmounts it. */
export function mountPage(host: HTMLElement): () => void {
  const root = createRoot(host);
  root.render(<Page client={client} />);
  return () => root.unmount();
}
