// Steps that can be taken back: the step, and a message that offers the way back. The way back is a pure step too, so
// that what happened in between stays.
import { showToast } from '#web/ui/toast.ts';
import type { Desk } from './desk.ts';
import { changeDesk, readDesk, readSessionId } from './deskStore.ts';

type Step = (desk: Desk) => Desk;

interface UndoOptions {
  readonly onUndone?: () => void;
  /** Why the way back is closed now, in words that can be shown; null where it is open. */
  readonly findObstacle?: (desk: Desk) => string | null;
  /** Of several messages of a kind the last is shown. */
  readonly kind?: string;
}

/** Made now, it later says whether the same session is on show; where it is not, the person is told. */
export function sameSession(): () => boolean {
  const session = readSessionId();
  return () => {
    if (readSessionId() === session) return true;
    showToast('This was done in another session. Nothing was changed.');
    return false;
  };
}

/** Takes a step and offers to undo it. Without a text nothing is offered; a step that changes nothing says nothing. */
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
    if (readDesk() === now)
      return showToast('There was nothing to undo any more: it is back already, or its pane is gone.');
    onUndone?.();
  };
  showToast(text, { action: { label: 'Undo', onSelect }, ...(kind !== undefined && { kind }) });
}
