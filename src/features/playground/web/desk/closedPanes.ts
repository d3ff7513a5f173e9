// Reports that Undo restored something in a pane that is closed, and offers to reopen it.
import { showToast } from '#ui/kit/toast.ts';
import { changeDesk, readDesk } from './deskStore.ts';
import { writeModels } from './modelsInUrl.ts';
import { reopenObstacle, reopenPane } from './panes.ts';

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
