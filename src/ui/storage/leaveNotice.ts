// The notice after signing out. The page reloads then, so session storage carries the notice.
import { isObject } from '#core/contract/readJson.ts';
import { keep, readKept } from './keptText.ts';

/** Survives the deletion of everything else. */
export const LEAVE_NOTICE = 'studio.leaveNotice';

export interface LeaveNotice {
  readonly text: string;
  /** Something that should have been deleted is still in this browser. */
  readonly isDeletionLeft: boolean;
}

let isForNextPage = false;

/** For the page after the reload that follows. null: no notice. */
export function storeLeaveNotice(notice: LeaveNotice | null): void {
  isForNextPage = notice !== null;
  keep('sessionStorage', LEAVE_NOTICE, notice && JSON.stringify(notice));
}

/** Deletes a notice that was shown. This page may show the sign-in before it reloads; the notice stays then. */
export function forgetShownNotice(): void {
  if (!isForNextPage) storeLeaveNotice(null);
}

export function readLeaveNotice(): LeaveNotice | null {
  try {
    const value: unknown = JSON.parse(readKept('sessionStorage', LEAVE_NOTICE) ?? 'null');
    if (!isObject(value) || typeof value['text'] !== 'string') return null;
    return { text: value['text'], isDeletionLeft: value['isDeletionLeft'] === true };
  } catch {
    return null;
  }
}
