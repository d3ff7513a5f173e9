// Signs out, with or without deleting this browser's data.
import { forgetBrowser } from './forgetBrowser.ts';
import { storeLeaveNotice } from './leaveNotice.ts';

/** Why something could not be deleted; null: everything is deleted. */
export async function deleteStoredData(): Promise<string | null> {
  try {
    await forgetBrowser();
    return null;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `Some data of the studio in this browser could not be deleted: ${reason}`;
  }
}

/**
 * Signs out, then deletes this browser's data if `isForgotten`. `signOut` resolves to a warning about a successful
 * sign-out, or null. The page must reload afterwards; the sign-in page then shows the notice. Rejects if signing out
 * failed; nothing is deleted then.
 */
export async function leaveStudio(isForgotten: boolean, signOut: () => Promise<string | null>): Promise<void> {
  const warning = await signOut();
  const deletionProblem = isForgotten ? await deleteStoredData() : null;
  const texts = [warning, deletionProblem && `You are signed out. ${deletionProblem}`].filter((text) => text !== null);
  storeLeaveNotice(texts.length > 0 ? { text: texts.join(' '), isDeletionLeft: deletionProblem !== null } : null);
}
