import { writeClipboard } from '#ui/kit/clipboard.ts';
import { showToast } from '#ui/kit/toast.ts';

/** Copies a link and says so. False: the browser did not allow it. */
export async function copyLink(link: string): Promise<boolean> {
  const isCopied = await writeClipboard(link);
  if (isCopied) showToast('Copied the link.', { tone: 'ok' });
  else showToast('The browser did not allow copying. Select the link and copy it with the keyboard.', { tone: 'bad' });
  return isCopied;
}
