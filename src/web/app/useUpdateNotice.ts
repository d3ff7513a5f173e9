// Notices that this page is older than the studio: asked only once a part of the page did not arrive, told once.
import { useEffect } from 'react';
import { showUpdated } from '#web/ui/lazy/loadErrors.ts';

/** Whether `html` is the studio's page with another script than this page runs. An error page says nothing. */
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
      // Without an answer there is nothing to say about its age.
      const isUpdated = !isTold && (await findUpdate().catch(() => false));
      if (!isUpdated || isTold) return;
      isTold = true;
      showUpdated();
    };
    const listen = () => void onLost();
    // Vite's event for any import() that fails, whoever asked for it.
    window.addEventListener('vite:preloadError', listen);
    return () => window.removeEventListener('vite:preloadError', listen);
  }, []);
}
