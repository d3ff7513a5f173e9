// Takes a step and shows a toast that offers to undo it. The undo is a pure step too, so changes made in between stay.
import { showToast } from '#ui/kit/toast.ts';
import type { Desk } from './desk.ts';
import { changeDesk, readDesk, readSessionId } from './deskStore.ts';

type Step = (desk: Desk) => Desk;

interface UndoOptions {
  readonly onUndone?: () => void;
  /** Why undo is impossible now, in words that can be shown; null if it is possible. */
  readonly findObstacle?: (desk: Desk) => string | null;
  /** A new toast replaces the one of the same kind. */
  readonly kind?: string;
}

/** Remembers the session on show. The result later says whether it still is; if not, it shows a toast. */
export function sameSession(): () => boolean {
  const session = readSessionId();
  return () => {
    if (readSessionId() === session) return true;
    showToast('You did this in another session, so nothing was undone here.');
    return false;
  };
}

/** Takes a step and offers to undo it. No toast without a text, or if the step changes nothing. */
export function changeWithUndo(
  text: string | null,
  step: Step,
  undo: Step,
  { onUndone, findObstacle, kind }: UndoOptions = {},
): void {
  const before = readDesk();
  const isSame = sameSession();
  changeDesk(step);
  if (text === null || readDesk() === before) return;
  const onSelect = (): void => {
    if (!isSame()) return;
    const now = readDesk();
    const obstacle = findObstacle?.(now) ?? null;
    if (obstacle !== null) return showToast(obstacle);
    changeDesk(undo);
    if (readDesk() === now) return showToast('Nothing to undo: it was restored already, or its pane was closed.');
    onUndone?.();
  };
  showToast(text, { action: { label: 'Undo', onSelect }, ...(kind !== undefined && { kind }) });
}
