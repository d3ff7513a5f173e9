// What is still to be said after signing out: the page is loaded anew then, so the tab's storage carries it over.
import { isObject } from '#shared/contract/reading.ts';

/** Stays where all else is deleted. */
export const LEAVE_NOTICE = 'studio.leaveNotice';

export interface LeaveNotice {
  readonly text: string;
  /** Something that should have been deleted is still in this browser. */
  readonly isDeletionLeft: boolean;
}

/** null: there is nothing to say. */
export function keepLeaveNotice(notice: LeaveNotice | null): void {
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
