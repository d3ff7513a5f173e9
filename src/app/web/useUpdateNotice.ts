// Detects that this page is older than the studio. Checks only after a part of the page did not load, and reports once.
import { useEffect } from 'react';
import { showUpdated } from '#ui/lazy/loadErrors.ts';

/** Whether `html` is the studio's page with a different script than this page. An error page proves nothing. */
export function isOtherBuild(html: string, ownScript: string): boolean {
  return html.includes('id="root"') && !html.includes(`"${ownScript}"`);
}

async function findUpdate(): Promise<boolean> {
  const own = document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? null;
  if (own === null) return false;
  const answer = await fetch('/', { cache: 'no-store' });
  return answer.ok && isOtherBuild(await answer.text(), own);
}

export function useUpdateNotice(): void {
  useEffect(() => {
    let isTold = false;
    const onLost = async () => {
      // Without an answer the page's age is unknown.
      const isUpdated = !isTold && (await findUpdate().catch(() => false));
      if (!isUpdated || isTold) return;
      isTold = true;
      showUpdated();
    };
    const listen = () => void onLost();
    // Vite's event for any import() that fails.
    window.addEventListener('vite:preloadError', listen);
    return () => window.removeEventListener('vite:preloadError', listen);
  }, []);
}
