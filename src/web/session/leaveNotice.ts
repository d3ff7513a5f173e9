// The notice after signing out. The page reloads then, so session storage carries the notice.
import { isObject } from '#shared/contract/reading.ts';

/** Survives the deletion of everything else. */
export const LEAVE_NOTICE = 'studio.leaveNotice';

export interface LeaveNotice {
  readonly text: string;
  /** Something that should have been deleted is still in this browser. */
  readonly isDeletionLeft: boolean;
}

/** null: no notice. */
export function storeLeaveNotice(notice: LeaveNotice | null): void {
  try {
    if (notice === null) sessionStorage.removeItem(LEAVE_NOTICE);
    else sessionStorage.setItem(LEAVE_NOTICE, JSON.stringify(notice));
  } catch {
    // The storage is full or forbidden: the notice is not shown.
  }
}

export function readLeaveNotice(): LeaveNotice | null {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(LEAVE_NOTICE) ?? 'null');
    if (!isObject(value) || typeof value['text'] !== 'string') return null;
    return { text: value['text'], isDeletionLeft: value['isDeletionLeft'] === true };
  } catch {
    return null;
  }
}
