// Signing out, with or without deleting what this browser keeps.
import { forgetBrowser } from './forgetBrowser.ts';
import { keepLeaveNotice } from './leaveNotice.ts';

/** Why not everything could be deleted; null: all is gone. */
export async function deleteKept(): Promise<string | null> {
  try {
    await forgetBrowser();
    return null;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `Not everything that this browser keeps could be deleted: ${reason}`;
  }
}

/**
 * Signs out, then deletes what this browser keeps where `isForgotten`. `signOut` gives what is to be said of a sign-out
 * that succeeded, or null. The page must be loaded anew afterwards; the sign-in page then says what is left to say.
 * Rejects where signing out failed: then nothing was deleted.
 */
export async function leaveStudio(isForgotten: boolean, signOut: () => Promise<string | null>): Promise<void> {
  const warning = await signOut();
  const left = isForgotten ? await deleteKept() : null;
  const texts = [warning, left && `You are signed out. ${left}`].filter((text) => text !== null);
  keepLeaveNotice(texts.length > 0 ? { text: texts.join(' '), isDeletionLeft: left !== null } : null);
}
