// Takes a step and shows a toast that offers to undo it. The undo is a pure step too, so changes made in between stay.
import { showToast } from '#ui/kit/toast.ts';
import type { Desk } from './desk.ts';
import { changeDesk, readDesk, readSessionId } from './deskStore.ts';
import { reopenObstacle, reopenPane } from './panes.ts';
import { updateUrl } from '#ui/address/urlState.ts';

// Reports that Undo restored something in a pane that is closed, and offers to reopen it.

// Writes the models of the panes on show to the address.

export const writeModels = (options: { readonly replace?: boolean } = {}): void =>
  updateUrl({ models: readDesk().panes.map((pane) => pane.model) }, options);

function reopen(paneIds: readonly string[]): void {
  for (const id of paneIds) {
    const obstacle = reopenObstacle(readDesk(), id);
    if (obstacle !== null) return showToast(obstacle);
    changeDesk((desk) => {
      const closed = desk.parked.find((pane) => pane.id === id);
      return closed ? reopenPane(desk, closed, desk.panes.length) : desk;
    });
    writeModels();
  }
}

/** Shows a toast if any of these panes was closed meanwhile. */
export function reportIfClosed(paneIds: readonly string[]): void {
  const { panes, parked } = readDesk();
  const closed = paneIds.filter((id) => !panes.some((pane) => pane.id === id) && parked.some((pane) => pane.id === id));
  if (closed.length === 0) return;
  const message =
    closed.length === 1
      ? 'It was restored in a pane that you have closed since.'
      : `It was restored. You have closed ${closed.length} of its panes since.`;
  showToast(message, { action: { label: 'Reopen', onSelect: () => reopen(closed) } });
}

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
